import { createHash, randomUUID } from "node:crypto";
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { forEachBatch } from "../../shared/async.ts";
import type { ImageStore, OpenImage, StoredImage } from "../../shared/contracts/image-store.ts";
import { isShared, makePrivate } from "../private-folder.ts";
import { IMAGE_MESSAGES } from "../texts.ts";
import { asidePath, IMAGES, imageAt, imagePath, type ObjectKind, verifyImage } from "./image-hash.ts";

const LIST_BATCH_SIZE = 1_000;
const FILE_CONCURRENCY = 16;
/** Temporary files of `put`, before they are renamed. */
const DRAFT = /\.(?:png|bin)\.[0-9a-f-]{36}$/;

/** Permissions of new files and folders, before the process's umask. */
interface Modes {
  folder: number;
  file: number;
}

/** Images as files in a folder, which the nodes of a cluster may share. */
export class FileImageStore implements ImageStore {
  readonly #folder: string;
  readonly #modes: Modes;
  readonly #kind: ObjectKind;

  private constructor(folder: string, modes: Modes, kind: ObjectKind) {
    this.#folder = folder;
    this.#modes = modes;
    this.#kind = kind;
  }

  /**
   * Opens the store.
   * @param isPrivate whether only this account may read it, as in the data folder. Other nodes may share
   * another folder
   * @param kind what it stores. Default: images
   * @throws Error if the folder can't be found or created
   */
  static async open(
    folder: string,
    { isPrivate = false, kind = IMAGES }: { isPrivate?: boolean; kind?: ObjectKind } = {},
  ): Promise<FileImageStore> {
    const modes = isPrivate ? { folder: 0o700, file: 0o600 } : { folder: 0o777, file: 0o666 };
    await mkdir(folder, { recursive: true, mode: modes.folder });
    // Once, for installations from before the folder was private. There may be very many files.
    if (isPrivate && (await isShared(folder))) await makePrivate(folder);
    return new FileImageStore(folder, modes, kind);
  }

  /** Checks that this user can store images. @throws Error if the folder is not writable */
  static async requireWritable(folder: string): Promise<void> {
    await access(folder, constants.W_OK).catch((error: Error) => {
      throw new Error(IMAGE_MESSAGES.notWritable(folder, error.message), { cause: error });
    });
  }

  async put(png: Buffer): Promise<string> {
    const hash = createHash("sha256").update(png).digest("hex");
    const path = join(this.#folder, imagePath(hash, this.#kind));
    if (await touch(path)) return hash;
    await mkdir(dirname(path), { recursive: true, mode: this.#modes.folder });
    // Written to a temporary file and renamed, so that a crash leaves the complete image or none.
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, png, { flush: true, mode: this.#modes.file });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return hash;
  }

  async get(hash: string): Promise<Buffer> {
    const png = await this.#find(hash, path => readFile(path));
    if (!png) throw new Error(IMAGE_MESSAGES.missing(hash, this.#folder));
    return verifyImage(png, hash);
  }

  async open(hash: string): Promise<OpenImage | null> {
    const file = await this.#find(hash, path => open(path));
    return file && streamOf(file);
  }

  /** Lists old images. Also deletes temporary files of writers that died before then. */
  async *olderThan(before: Date): AsyncGenerator<StoredImage[]> {
    let part: StoredImage[] = [];
    for (const first of await namesIn(this.#folder)) {
      for (const second of await namesIn(join(this.#folder, first))) {
        part.push(...(await this.#listOld(`${first}/${second}`, before)));
        if (part.length < LIST_BATCH_SIZE) continue;
        yield part;
        part = [];
      }
    }
    if (part.length > 0) yield part;
  }

  async setAside(hashes: string[]): Promise<void> {
    await forEachBatch(hashes, FILE_CONCURRENCY, async hash => {
      const path = join(this.#folder, imagePath(hash, this.#kind));
      // The image's age is reset before the move. A crash between the two leaves a young image, not an old
      // one that is set aside.
      await utimes(path, new Date(), new Date()).catch(ifMissing);
      await rename(path, join(this.#folder, asidePath(hash, this.#kind))).catch(ifMissing);
    });
  }

  async putBack(hashes: string[]): Promise<void> {
    await forEachBatch(hashes, FILE_CONCURRENCY, async hash => {
      await rename(
        join(this.#folder, asidePath(hash, this.#kind)),
        join(this.#folder, imagePath(hash, this.#kind)),
      ).catch(ifMissing);
    });
  }

  async remove(hashes: string[]): Promise<void> {
    await forEachBatch(hashes, FILE_CONCURRENCY, hash =>
      rm(join(this.#folder, asidePath(hash, this.#kind)), { force: true }),
    );
  }

  async close(): Promise<void> {}

  /**
   * Reads an image from either place. The first one is tried twice, because the image may be restored in
   * between.
   */
  async #find<T>(hash: string, read: (path: string) => Promise<T>): Promise<T | null> {
    for (const path of [
      imagePath(hash, this.#kind),
      asidePath(hash, this.#kind),
      imagePath(hash, this.#kind),
    ]) {
      const found = await read(join(this.#folder, path)).catch(ifMissing);
      if (found !== null) return found;
    }
    return null;
  }

  async #listOld(folder: string, before: Date): Promise<StoredImage[]> {
    const old: StoredImage[] = [];
    await forEachBatch(await namesIn(join(this.#folder, folder)), FILE_CONCURRENCY, async name => {
      const image = imageAt(`${folder}/${name}`, this.#kind);
      if (!image && !DRAFT.test(name)) return;
      const path = join(this.#folder, folder, name);
      const file = await stat(path).catch(ifMissing);
      if (!file || file.mtime >= before) return;
      if (image) old.push({ ...image, bytes: file.size });
      else await rm(path, { force: true });
    });
    // The stats arrive in any order.
    return old.sort((a, b) => Number(b.aside) - Number(a.aside));
  }
}

async function streamOf(file: FileHandle): Promise<OpenImage> {
  try {
    const { size } = await file.stat();
    return { stream: file.createReadStream(), bytes: size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Resets a file's age. @returns false if it must be written again: it is missing, or belongs to another user
 */
function touch(path: string): Promise<boolean> {
  return utimes(path, new Date(), new Date()).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "EPERM" || error.code === "EACCES") return false;
      throw error;
    },
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // A deleted folder, or an unrelated file among the folders.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return [];
    throw error;
  }
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
