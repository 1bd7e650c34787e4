import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { invalidEntry, readingError } from "./invalid-archive.ts";
import { ARCHIVE_ERRORS } from "./texts.ts";
import type { Unpacker } from "./unpacker.ts";

const FILES = new Set<unknown>(["file", "contiguous-file"]);
const LINKS = new Set<unknown>(["symlink", "link"]);

/** Unpacks a tar. @throws InvalidArchiveError */
export async function unpackTar(archive: string, unpacker: Unpacker, isGzip: boolean): Promise<void> {
  const source = createReadStream(archive);
  const bytes = isGzip ? source.pipe(createGunzip()) : source;
  const entries = extract();
  const fail = (error: Error) => entries.destroy(error);
  // The loop below gets it too.
  entries.on("error", () => {});
  source.on("error", fail);
  if (bytes !== source) bytes.on("error", fail);
  bytes.pipe(entries);
  try {
    for await (const entry of entries) {
      await unpackEntry(entry.header, entry, unpacker);
      entry.resume();
    }
  } catch (error) {
    throw readingError(error);
  } finally {
    source.destroy();
    bytes.destroy();
    entries.destroy();
  }
}

async function unpackEntry(
  { name, type, size }: Header,
  content: AsyncIterable<unknown>,
  unpacker: Unpacker,
): Promise<void> {
  if (LINKS.has(type)) throw invalidEntry(name, ARCHIVE_ERRORS.link);
  const isFolder = type === "directory";
  if (!isFolder && !FILES.has(type)) throw invalidEntry(name, ARCHIVE_ERRORS.special);
  const path = unpacker.entries.add(name, isFolder);
  if (isFolder) {
    if (size > 0) throw invalidEntry(name, ARCHIVE_ERRORS.special);
    return;
  }
  // A negative size is read as a negative zero.
  if (!Number.isSafeInteger(size) || size < 0 || Object.is(size, -0))
    throw invalidEntry(name, ARCHIVE_ERRORS.sizes);
  const { bytes } = await unpacker.write(path, content);
  if (bytes !== size) throw invalidEntry(name, ARCHIVE_ERRORS.sizes);
}
