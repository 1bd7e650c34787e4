import { open, stat } from "node:fs/promises";
import { ArchiveEntries } from "./archive-entries.ts";
import type { ArchivedFile } from "./archive-index.ts";
import { InvalidArchiveError } from "./invalid-archive.ts";
import { ARCHIVE_ERRORS } from "./texts.ts";
import { unpackTar } from "./unpack-tar.ts";
import { unpackZip } from "./unpack-zip.ts";
import { Unpacker } from "./unpacker.ts";

/**
 * Unpacks a zip, tar or tar.gz archive. Its format follows from its content. Each file is in `folder` under its hash.
 * @param folder an empty folder of its own. After an error, it may have some files
 * @param unpackedBytes limit of all files together
 * @returns the files
 * @throws InvalidArchiveError that says what is wrong with the archive
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  { unpackedBytes }: { unpackedBytes: number },
): Promise<ArchivedFile[]> {
  const { size: archiveBytes } = await stat(archive);
  const unpacker = new Unpacker(folder, new ArchiveEntries({ unpackedBytes, archiveBytes }));
  const format = await formatOf(archive);
  if (format === "zip") await unpackZip(archive, unpacker);
  else await unpackTar(archive, unpacker, format === "gzip");
  if (unpacker.files.length === 0) throw new InvalidArchiveError(ARCHIVE_ERRORS.empty);
  return unpacker.files;
}

const TAR_MAGIC_AT = 257;

/** Returns the format by the first bytes. @throws InvalidArchiveError for another one */
async function formatOf(archive: string): Promise<"zip" | "gzip" | "tar"> {
  const file = await open(archive);
  try {
    const head = Buffer.alloc(TAR_MAGIC_AT + 5);
    await file.read(head, 0, head.length, 0);
    if (["PK\u0003\u0004", "PK\u0005\u0006"].includes(head.toString("latin1", 0, 4))) return "zip";
    if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
    if (head.toString("latin1", TAR_MAGIC_AT) === "ustar") return "tar";
  } finally {
    await file.close();
  }
  throw new InvalidArchiveError(ARCHIVE_ERRORS.unknown);
}
