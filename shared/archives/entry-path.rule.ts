import { ARCHIVE_BOUNDS } from "../contracts/builds/archives.ts";
import { ARCHIVE_ERRORS } from "./texts.ts";

/**
 * Returns the path of an entry, relative to the site's root, without a slash at its end. The root itself is "". Tools
 * write `./` before paths, which is dropped.
 */
export function entryPath(name: string): { path: string } | { refused: string } {
  const path = name.replace(/^(?:\.\/)+/, "").replace(/\/$/, "");
  if (path === "" || path === ".") return name === "" ? { refused: ARCHIVE_ERRORS.emptyName } : rootOf(name);
  const refused = refusalOf(path);
  return refused === null ? { path } : { refused };
}

function rootOf(name: string): { path: string } | { refused: string } {
  return name.startsWith("/") ? { refused: ARCHIVE_ERRORS.absolute } : { path: "" };
}

function refusalOf(path: string): string | null {
  if (!path.isWellFormed() || path.includes("�")) return ARCHIVE_ERRORS.encoding;
  if (/\p{Cc}/u.test(path)) return ARCHIVE_ERRORS.control;
  if (path.includes("\\")) return ARCHIVE_ERRORS.backslash;
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return ARCHIVE_ERRORS.absolute;
  const names = path.split("/");
  if (names.includes("..") || names.includes(".")) return ARCHIVE_ERRORS.traversal;
  if (names.includes("")) return ARCHIVE_ERRORS.emptyName;
  if (Buffer.byteLength(path) > ARCHIVE_BOUNDS.pathBytes)
    return ARCHIVE_ERRORS.longPath(ARCHIVE_BOUNDS.pathBytes);
  if (names.some(each => Buffer.byteLength(each) > ARCHIVE_BOUNDS.nameBytes))
    return ARCHIVE_ERRORS.longName(ARCHIVE_BOUNDS.nameBytes);
  return names.length > ARCHIVE_BOUNDS.depth + 1 ? ARCHIVE_ERRORS.deep(ARCHIVE_BOUNDS.depth) : null;
}
