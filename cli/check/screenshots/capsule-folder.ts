import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { fileNameOf } from "../../baselines/file-name.ts";
import { writeAtomically } from "../../baselines/write-atomically.ts";

/** Capsules of baselines that no check has used for longer are deleted. */
const RETENTION_MS = 30 * 24 * 3_600_000;
/** Characters of a hash in a file name, enough to distinguish images of one page. */
const HASH_LENGTH = 16;

/**
 * The capsules of the captures on this machine, by page and hash of the capture. The repository has only the images, so
 * a change is explained if this machine captured or approved its baseline.
 */
export class CapsuleFolder {
  readonly #path: string;

  /** @param path absolute path of the folder, which may not exist */
  constructor(path: string) {
    this.#path = path;
  }

  /** Creates the folder, and deletes capsules that were not used for a month. */
  async prepare(): Promise<void> {
    await mkdir(this.#path, { recursive: true });
    for (const name of await readdir(this.#path)) {
      const path = join(this.#path, name);
      const { mtimeMs } = (await stat(path).catch(() => null)) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > RETENTION_MS) await rm(path, { force: true });
    }
  }

  /** Returns whether the capsule of a capture is here. @param hash SHA-256 of the capture */
  async has(shot: ScreenshotKey, hash: string): Promise<boolean> {
    const now = new Date();
    // Used ones are kept longer.
    return await utimes(this.#fileOf(shot, hash), now, now).then(
      () => true,
      () => false,
    );
  }

  /** Returns the packed capsule of a capture; null if it is not here. */
  async read(shot: ScreenshotKey, hash: string): Promise<Buffer | null> {
    return await this.readKept(shot, hash).catch(() => null);
  }

  /** Returns the packed capsule of a capture. @throws Error if it is not here */
  async readKept(shot: ScreenshotKey, hash: string): Promise<Buffer> {
    return await readFile(this.#fileOf(shot, hash));
  }

  async store(shot: ScreenshotKey, hash: string, capsule: Buffer): Promise<void> {
    await writeAtomically(this.#fileOf(shot, hash), capsule);
  }

  #fileOf(shot: ScreenshotKey, hash: string): string {
    const stem = fileNameOf(shot).replace(/\.png$/, "");
    return join(this.#path, `${stem}-${hash.slice(0, HASH_LENGTH)}.json.gz`);
  }
}
