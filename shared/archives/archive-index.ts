import { createHash } from "node:crypto";
import { z } from "zod";
import { archiveId } from "../contracts/builds/archives.ts";
import { InvalidArchiveError } from "./invalid-archive.ts";
import { ARCHIVE_ERRORS } from "./texts.ts";

/** A file of an archive. */
export interface ArchivedFile {
  /** Relative to the site's root, with / between folders. */
  path: string;
  /** SHA-256 of its content, hex. */
  hash: string;
  bytes: number;
}

const storedIndex = z.object({
  version: z.literal(1),
  files: z.array(z.tuple([z.string(), archiveId, z.int().min(0)])),
});

/**
 * Returns the canonical index of files. Its SHA-256 is the archive's id, so equal files have the same id, in whatever
 * order and format they were packed.
 */
export function writeIndex(files: readonly ArchivedFile[]): { id: string; bytes: Buffer } {
  const sorted = files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const rows = sorted.map(({ path, hash, bytes }) => [path, hash, bytes]);
  const bytes = Buffer.from(JSON.stringify({ version: 1, files: rows }));
  return { id: createHash("sha256").update(bytes).digest("hex"), bytes };
}

/** Reads an index. @throws InvalidArchiveError if it isn't one */
export function readIndex(bytes: Buffer): ArchivedFile[] {
  const parsed = storedIndex.safeParse(parseJson(bytes));
  if (!parsed.success) throw new InvalidArchiveError(ARCHIVE_ERRORS.index);
  return parsed.data.files.map(([path, hash, size]) => ({ path, hash, bytes: size }));
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
