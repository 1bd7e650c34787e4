import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { ARCHIVE_BOUNDS } from "../contracts/builds/archives.ts";
import { InvalidArchiveError, invalidEntry, readingError } from "./invalid-archive.ts";
import { ARCHIVE_ERRORS } from "./texts.ts";
import type { Unpacker } from "./unpacker.ts";

/** Type of a file in the Unix mode, which is in the upper half of the external attributes. */
const TYPE_MASK = 0o170000;
const SYMBOLIC_LINK = 0o120000;
/** Types of entries that are read. Archives of other systems have none. */
const PLAIN_TYPES = new Set([0, 0o100000, 0o040000]);
/** Bytes of a local header without its name and extra fields. */
const LOCAL_HEADER_BYTES = 30;

/** Unpacks a zip file. The sizes in its headers are never trusted. @throws InvalidArchiveError */
export async function unpackZip(archive: string, unpacker: Unpacker): Promise<void> {
  try {
    // With decoded names, another library would choose the texts of errors.
    const zip = await openPromise(archive, { autoClose: false, decodeStrings: false });
    try {
      if (zip.entryCount > ARCHIVE_BOUNDS.entries)
        throw new InvalidArchiveError(ARCHIVE_ERRORS.many(ARCHIVE_BOUNDS.entries));
      const entries: { name: string; entry: Entry }[] = [];
      for await (const entry of zip.eachEntry()) entries.push({ name: nameOf(entry), entry });
      refuseOverlaps(entries);
      for (const { name, entry } of entries) await unpackEntry(zip, name, entry, unpacker);
    } finally {
      zip.close();
    }
  } catch (error) {
    throw readingError(error);
  }
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}

/** Refuses entries that share bytes. A small zip bomb lists the same bytes very often. */
function refuseOverlaps(entries: readonly { name: string; entry: Entry }[]): void {
  const sorted = entries.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const { name, entry } of sorted) {
    if (entry.relativeOffsetOfLocalHeader < end) throw invalidEntry(name, ARCHIVE_ERRORS.overlap);
    end =
      entry.relativeOffsetOfLocalHeader +
      LOCAL_HEADER_BYTES +
      entry.fileNameRaw.length +
      entry.compressedSize;
  }
}

async function unpackEntry(zip: ZipFile, name: string, entry: Entry, unpacker: Unpacker): Promise<void> {
  const type = (entry.externalFileAttributes >>> 16) & TYPE_MASK;
  if (type === SYMBOLIC_LINK) throw invalidEntry(name, ARCHIVE_ERRORS.link);
  if (!PLAIN_TYPES.has(type)) throw invalidEntry(name, ARCHIVE_ERRORS.special);
  if (entry.isEncrypted()) throw invalidEntry(name, ARCHIVE_ERRORS.encrypted);
  const isFolder = name.endsWith("/");
  const path = unpacker.entries.add(name, isFolder);
  if (isFolder) {
    if (entry.uncompressedSize > 0) throw invalidEntry(name, ARCHIVE_ERRORS.special);
    return;
  }
  if (!entry.canDecodeFileData()) throw invalidEntry(name, ARCHIVE_ERRORS.method);
  const content = await zip.openReadStreamPromise(entry);
  let sum = 0;
  const { bytes } = await unpacker.write(
    path,
    (async function* read() {
      for await (const chunk of content) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    })(),
  );
  if (bytes !== entry.uncompressedSize) throw invalidEntry(name, ARCHIVE_ERRORS.sizes);
  if (sum >>> 0 !== entry.crc32 >>> 0) throw invalidEntry(name, ARCHIVE_ERRORS.checksum);
}
