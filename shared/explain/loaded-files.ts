import type { Capsule, CapsuleResponse } from "../capture/capsule/capsule.ts";
import type { CauseFile } from "../contracts/runs/explanation.ts";
import {
  type ChangedDeclaration,
  type CssRules,
  changedDeclarations,
  readRules,
} from "./elements/css-rules.ts";

/** A stylesheet that differs, and how. */
export interface ChangedSheet {
  /** Null for a stylesheet within the page. */
  file: CauseFile | null;
  declarations: ChangedDeclaration[];
}

/** What the two pages loaded, and how it differs. */
export interface LoadedFiles {
  sheets: ChangedSheet[];
  /** Changed responses by type. */
  changed: Map<string, CauseFile[]>;
  /** URLs of images that changed. */
  changedImages: Set<string>;
  /** Reads the rules of all stylesheets after the change. */
  allRules(): CssRules[];
}

/** The part of a file name where build tools add a hash. Rollup's and Vite's have eight characters of base64url. */
const HASH_PLACE = /([.\-_])([\w-]{8}|[A-Za-z0-9]{6,40})(?=(?:\.(?:bundle|chunk|min|module))?\.\w+$)/;
/** Words of a name, such as `card`, `UserCard` or `ui-table`. */
const WORDS = /^(?:(?:[a-z]+|[A-Z][a-z]+)(?:[A-Z][a-z]{2,})*(?:[-_]|$))+$/;

/** Returns whether a part of a file name looks random. A quarter of Vite's hashes have no digit. */
function isBuildHash(part: string): boolean {
  return /\d/.test(part) || (part.length === BASE64_HASH_CHARS && !WORDS.test(part));
}

const BASE64_HASH_CHARS = 8;

/** Returns a URL as deployments share it: without host, query and build hash. */
export function fileKey(url: string, page: string): string {
  const parsed = URL.parse(url, page);
  if (parsed === null) return url;
  const host = parsed.host === URL.parse(page)?.host ? "" : parsed.host;
  const path = parsed.pathname.replace(HASH_PLACE, (whole: string, separator: string, part: string) =>
    isBuildHash(part) ? `${separator}*` : whole,
  );
  return host + path;
}

/** Compares what two pages loaded. */
export function compareFiles(before: Capsule, after: Capsule): LoadedFiles {
  const [old, now] = [responsesOf(before), responsesOf(after)];
  const changed = new Map<string, CauseFile[]>();
  const changedImages = new Set<string>();
  const add = (type: string, file: CauseFile) => changed.set(type, [...(changed.get(type) ?? []), file]);
  for (const [key, response] of now) {
    const earlier = old.get(key);
    if (earlier === undefined) add(response.type, { url: response.url, change: "added" });
    else if (isChanged(earlier, response)) {
      add(response.type, { url: response.url, change: "changed" });
      if (response.type === "image") changedImages.add(response.url);
    }
  }
  for (const [key, response] of old)
    if (!now.has(key)) add(response.type, { url: response.url, change: "removed" });
  return {
    ...{ sheets: compareSheets(before, after), changed, changedImages },
    allRules: () => after.sheets.map(({ text }) => readRules(text)),
  };
}

/** Returns the responses of a page by type and file, as deployments share them. The page itself is `document`. */
export function responsesOf(capsule: Capsule): Map<string, CapsuleResponse> {
  const responses = new Map<string, CapsuleResponse>();
  const page = URL.parse(capsule.url)?.pathname;
  for (const response of capsule.responses) {
    const isPage = response.type === "document" && URL.parse(response.url)?.pathname === page;
    const key = isPage ? "document" : `${response.type} ${fileKey(response.url, capsule.url)}`;
    if (!responses.has(key)) responses.set(key, response);
  }
  return responses;
}

/** Returns whether a response of the same file differs. */
export function isChanged(before: CapsuleResponse, after: CapsuleResponse): boolean {
  if (before.status !== after.status) return true;
  return before.hash !== null && after.hash !== null && before.hash !== after.hash;
}

function compareSheets(before: Capsule, after: Capsule): ChangedSheet[] {
  const [old, now] = [sheetsOf(before), sheetsOf(after)];
  const found: ChangedSheet[] = [];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(key), now.get(key)];
    if (was?.text === is?.text) continue;
    // A slow machine may not have read it in time. Nothing is known of its changes then.
    if ((was === undefined && unread(before).has(key)) || (is === undefined && unread(after).has(key)))
      continue;
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    const url = is?.url ?? was?.url ?? null;
    const declarations = changedDeclarations(readRules(was?.text ?? ""), readRules(is?.text ?? ""));
    const sources = new Map(
      (after.mapped ?? []).flatMap(mapped =>
        mapped.url === url ? [[`${mapped.selector} ${mapped.property}`, mapped.source]] : [],
      ),
    );
    const withSources = declarations.map(declaration => {
      const source = sources.get(`${declaration.selector} ${declaration.property}`);
      return source === undefined ? declaration : { ...declaration, source };
    });
    found.push({ file: url === null ? null : { url, change }, declarations: withSources });
  }
  return found;
}

/** Returns the stylesheets that arrived, but whose content is unknown. One that failed has none. */
function unread({ responses, url: page }: Capsule): Set<string> {
  return new Set(
    responses.flatMap(({ type, status, hash, url }) =>
      type === "stylesheet" && hash === null && !isError(status) ? [fileKey(url, page)] : [],
    ),
  );
}

const isError = (status: number): boolean => status >= 400;

/** Returns the stylesheets by their file, and those within the page as one. */
function sheetsOf(capsule: Capsule): Map<string, Capsule["sheets"][number]> {
  const sheets = new Map<string, Capsule["sheets"][number]>();
  for (const sheet of capsule.sheets) {
    const key = sheet.url === null ? "" : fileKey(sheet.url, capsule.url);
    const text = `${sheets.get(key)?.text ?? ""}${sheet.text}\n`;
    sheets.set(key, { url: sheet.url, text });
  }
  return sheets;
}
