import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../baselines/write-atomically.ts";

/** Bytes of all kept responses. The oldest ones are deleted first. */
const MAX_BYTES = 256 * 1024 * 1024;
const FILE_NAME = /^[0-9a-f]{64}$/;

/**
 * The bodies of responses that pages on this machine loaded, by their SHA-256. A proof gives them back to the page of a
 * later check. Each is kept once, for all pages and baselines.
 */
export class ResponseFolder {
  readonly #path: string;
  readonly #maxBytes: number;

  /** @param path absolute path of the folder, which may not exist */
  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** Creates the folder, and deletes the oldest responses over the limit. */
  async prepare(): Promise<void> {
    await mkdir(this.#path, { recursive: true });
    const names = (await readdir(this.#path)).filter(name => FILE_NAME.test(name));
    const files = await Promise.all(
      names.map(async name => ({ name, found: await stat(join(this.#path, name)).catch(() => null) })),
    );
    let bytes = 0;
    for (const { name, found } of files.toSorted((a, b) => ageOf(a.found) - ageOf(b.found))) {
      bytes += found?.size ?? 0;
      if (bytes > this.#maxBytes) await rm(join(this.#path, name), { force: true });
    }
  }

  /** Stores bodies. Those that are here already count as new. */
  async store(bodies: readonly Buffer[]): Promise<void> {
    for (const body of bodies) {
      const hash = createHash("sha256").update(body).digest("hex");
      if (!(await this.#touch(hash))) await writeAtomically(join(this.#path, hash), body);
    }
  }

  /** Returns the bodies that are here, by their SHA-256. Damaged ones are left out. */
  async read(hashes: readonly string[]): Promise<Map<string, Buffer>> {
    const bodies = new Map<string, Buffer>();
    for (const hash of new Set(hashes)) {
      if (!FILE_NAME.test(hash)) continue;
      const body = await readFile(join(this.#path, hash)).catch(() => null);
      if (body === null || createHash("sha256").update(body).digest("hex") !== hash) continue;
      await this.#touch(hash);
      bodies.set(hash, body);
    }
    return bodies;
  }

  /** Returns whether a body is here. Used ones are kept longer. */
  async #touch(hash: string): Promise<boolean> {
    const now = new Date();
    return await utimes(join(this.#path, hash), now, now).then(
      () => true,
      () => false,
    );
  }
}

function ageOf(found: { mtimeMs: number } | null): number {
  return found === null ? 0 : -found.mtimeMs;
}
