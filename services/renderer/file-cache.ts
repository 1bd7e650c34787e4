import { randomUUID } from "node:crypto";
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { ImageStore } from "../../shared/contracts/image-store.ts";

const NAME = /^[0-9a-f]{64}$/;
/** Older drafts are of renderers that died. */
const DRAFT_MS = 3_600_000;
/** Part of the bound that a cleanup leaves, so that not every file starts one. */
const KEPT_SHARE = 0.9;
/** Deleting files reads the whole folder, so it is done after this share of the bound was added. */
const ADDED_SHARE = 0.05;

/** A folder for cached files. */
export interface CacheFolder {
  path: string;
  /** Deletes the folder if it is temporary. */
  close(): Promise<void>;
}

/**
 * Returns a folder for cached files that only this account can write. In a container whose file system can't be
 * written, it is a temporary one.
 */
export async function openCacheFolder(cacheDir: string): Promise<CacheFolder> {
  const path = join(cacheDir, "archives");
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK);
    return { path, async close() {} };
  } catch {
    const temporary = await mkdtemp(join(tmpdir(), "vrs-archives-"));
    return { path: temporary, close: () => rm(temporary, { recursive: true, force: true }) };
  }
}

/** Files of archives on this node's disk, under a bound. Renderers of a machine may share the folder. */
export class FileCache {
  readonly #folder: string;
  readonly #files: Pick<ImageStore, "get">;
  readonly #maxBytes: number;
  /** Files that are being fetched. Many pages of a run need the same ones at once. */
  readonly #fetching = new Map<string, Promise<void>>();
  /** Bytes since the last cleanup. Above the bound before the first one. */
  #added = Number.POSITIVE_INFINITY;
  #cleaning: Promise<void> | null = null;

  /** @param folder is created with the first file */
  constructor(folder: string, files: Pick<ImageStore, "get">, maxBytes: number) {
    this.#folder = folder;
    this.#files = files;
    this.#maxBytes = maxBytes;
  }

  /** Opens a file, or a part of it. @throws Error if the store doesn't have it or doesn't respond */
  async open(hash: string, range: { start: number; end: number } | null): Promise<Readable> {
    // Another renderer may delete it in between.
    for (;;) {
      const file = await this.#find(hash);
      if (file) return file.createReadStream(range ?? {});
      await this.#fetch(hash);
    }
  }

  async #find(hash: string): Promise<FileHandle | null> {
    const path = join(this.#folder, hash);
    try {
      const file = await open(path);
      // The least recently used files are deleted first.
      await utimes(path, new Date(), new Date()).catch(() => {});
      return file;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  }

  async #fetch(hash: string): Promise<void> {
    const fetching = this.#fetching.get(hash) ?? this.#store(hash);
    this.#fetching.set(hash, fetching);
    try {
      await fetching;
    } finally {
      this.#fetching.delete(hash);
    }
  }

  async #store(hash: string): Promise<void> {
    // The store verifies the bytes.
    const bytes = await this.#files.get(hash);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = join(this.#folder, `${hash}.${randomUUID()}`);
    try {
      await writeFile(draft, bytes, { mode: 0o600 });
      await rename(draft, join(this.#folder, hash));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    this.#added += bytes.length;
    if (this.#added <= this.#maxBytes * ADDED_SHARE) return;
    this.#cleaning ??= this.#clean(hash).finally(() => {
      this.#cleaning = null;
    });
    await this.#cleaning;
  }

  /** Deletes the least recently used files above the bound. @param kept the file that is about to be opened */
  async #clean(kept: string): Promise<void> {
    this.#added = 0;
    const found: { path: string; name: string; bytes: number; usedMs: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const file = await stat(path).catch(() => null);
      if (!file?.isFile()) continue;
      if (NAME.test(name)) found.push({ path, name, bytes: file.size, usedMs: file.mtimeMs });
      else if (Date.now() - file.mtimeMs > DRAFT_MS) await rm(path, { force: true });
    }
    let bytes = found.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes <= this.#maxBytes) return;
    for (const file of found.sort((a, b) => a.usedMs - b.usedMs)) {
      if (bytes <= this.#maxBytes * KEPT_SHARE) break;
      if (file.name === kept) continue;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
  }
}
