import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, opendir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import { ArchiveEntries } from "../../shared/archives/archive-entries.ts";
import { type ArchivedFile, writeIndex } from "../../shared/archives/archive-index.ts";
import { InvalidArchiveError, invalidEntry } from "../../shared/archives/invalid-archive.ts";
import { ARCHIVE_ERRORS } from "../../shared/archives/texts.ts";
import { unpackArchive } from "../../shared/archives/unpack-archive.ts";
import { CommandError } from "../terminal.ts";
import { RUN_ERRORS } from "../texts/cloud.ts";

/** The service decides. Its refusal says how much it accepts. */
const NO_LIMITS = { unpackedBytes: Number.POSITIVE_INFINITY, archiveBytes: Number.POSITIVE_INFINITY };

/** A static site of this machine. */
export interface LocalArchive {
  /** Equal files have the same id, wherever they were built. */
  id: string;
  files: number;
  /** Writes it as an archive file for the upload. @returns its path */
  pack(): Promise<string>;
  /** Deletes temporary files. */
  remove(): Promise<void>;
}

/**
 * Reads a folder or an archive file. Both are checked as the service does it, so most mistakes are found before the
 * upload.
 * @throws CommandError
 */
export async function readArchive(path: string, cwd: string): Promise<LocalArchive> {
  const full = resolve(cwd, path);
  const found = await stat(full).catch(() => null);
  if (!found) throw new CommandError("usage", RUN_ERRORS.noArchive(path));
  const temporary = await mkdtemp(join(tmpdir(), "vrs-archive-"));
  const remove = () => rm(temporary, { recursive: true, force: true });
  try {
    const files = found.isDirectory() ? await listFolder(full) : await listPacked(full, temporary);
    return {
      id: writeIndex(files).id,
      files: files.length,
      pack: async () => (found.isDirectory() ? packFolder(full, files, join(temporary, "packed")) : full),
      remove,
    };
  } catch (error) {
    await remove();
    if (error instanceof InvalidArchiveError)
      throw new CommandError("usage", RUN_ERRORS.archive(path, error.message));
    throw error;
  }
}

async function listPacked(path: string, temporary: string): Promise<ArchivedFile[]> {
  const folder = join(temporary, "files");
  await mkdir(folder);
  return await unpackArchive(path, folder, NO_LIMITS);
}

async function listFolder(root: string): Promise<ArchivedFile[]> {
  const entries = new ArchiveEntries(NO_LIMITS);
  const files: ArchivedFile[] = [];
  const walk = async (folder: string) => {
    for await (const entry of await opendir(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) throw invalidEntry(path, ARCHIVE_ERRORS.link);
      if (entry.isDirectory()) {
        await walk(path);
        continue;
      }
      if (!entry.isFile()) throw invalidEntry(path, ARCHIVE_ERRORS.special);
      entries.add(path, false);
      files.push({ path, ...(await hashFile(join(root, path), path, entries)) });
    }
  };
  await walk("");
  if (files.length === 0) throw new InvalidArchiveError(ARCHIVE_ERRORS.empty);
  return files;
}

async function hashFile(full: string, path: string, entries: ArchiveEntries) {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(full)) {
    bytes += chunk.length;
    entries.count(path, chunk.length, bytes);
    hash.update(chunk);
  }
  return { hash: hash.digest("hex"), bytes };
}

/** Packs the same files into the same bytes: sorted, and without times, owners and modes. */
async function packFolder(root: string, files: readonly ArchivedFile[], target: string): Promise<string> {
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(target));
  // An error before the end is thrown below.
  written.catch(() => {});
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path } of sorted) await addFile(tar, path, await readFile(join(root, path)));
  tar.finalize();
  await written;
  return target;
}

async function addFile(tar: Pack, name: string, content: Buffer): Promise<void> {
  const { promise, resolve: done, reject } = Promise.withResolvers<void>();
  const header = { name, mode: 0o644, mtime: new Date(0), size: content.length };
  tar.entry(header, content, error => (error ? reject(error) : done()));
  await promise;
}
