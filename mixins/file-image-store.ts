import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ImageStore } from "../shared/contracts/image-store.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Images as files, `ab/cd/abcd….png`. */
export class FileImageStore implements ImageStore {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws Error when the folder can be neither made nor written */
  static async open(folder: string): Promise<FileImageStore> {
    await mkdir(folder, { recursive: true });
    return new FileImageStore(folder);
  }

  async put(png: Buffer): Promise<string> {
    const hash = createHash("sha256").update(png).digest("hex");
    const path = this.#path(hash);
    if (await exists(path)) return hash;
    await mkdir(dirname(path), { recursive: true });
    // Written beside its place and renamed: after a crash there is the whole image or none.
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, png, { flush: true });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return hash;
  }

  get(hash: string): Promise<Buffer> {
    return readFile(this.#path(hash));
  }

  async open(hash: string): Promise<{ stream: NodeJS.ReadableStream; bytes: number } | null> {
    const file = await open(this.#path(hash)).catch(ifMissing);
    if (!file) return null;
    const { size } = await file.stat();
    return { stream: file.createReadStream(), bytes: size };
  }

  #path(hash: string): string {
    if (!HASH.test(hash)) throw new Error(`${hash} is not a SHA-256.`);
    return join(this.#folder, hash.slice(0, 2), hash.slice(2, 4), `${hash}.png`);
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
