import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { removeDrafts, writeAtomically } from "../../baselines/write-atomically.ts";

/** Bytes of all kept responses. The oldest ones are deleted first. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Share of the limit that is left when responses are deleted. */
const KEPT_SHARE = 0.8;
const FILE_NAME = /^[0-9a-f]{64}$/;

/**
 * The bodies of responses that pages on this machine loaded, by their SHA-256. A proof gives them back to the page of a
 * later check. Each is kept once, for all pages and baselines.
 */
export class ResponseFolder {
  readonly #path: string;
  readonly #maxBytes: number;
  /** Bytes in the folder, as far as this process knows. */
  #bytes = 0;

  /** @param path absolute path of the folder, which may not exist */
  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** Creates the folder, which only its user can read, and deletes the oldest responses over the limit. */
  async prepare(): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    await removeDrafts(this.#path);
    await this.#deleteOldest();
  }

  /** Stores bodies. Those that are here already count as new. Deletes the oldest ones over the limit. */
  async store(bodies: readonly Buffer[]): Promise<void> {
    for (const body of bodies) {
      const hash = createHash("sha256").update(body).digest("hex");
      if (await this.#touch(hash)) continue;
      await writeAtomically(join(this.#path, hash), body, { mode: 0o600 });
      this.#bytes += body.length;
    }
    if (this.#bytes > this.#maxBytes) await this.#deleteOldest();
  }

  /** Over the limit, deletes the oldest responses until a part of it is free, so that a large check rarely has to. */
  async #deleteOldest(): Promise<void> {
    const names = (await readdir(this.#path)).filter(name => FILE_NAME.test(name));
    const found = await Promise.all(
      names.map(async name => ({ name, stats: await stat(join(this.#path, name)).catch(() => null) })),
    );
    const files = found.flatMap(({ name, stats }) => (stats ? [{ name, stats }] : []));
    const total = files.reduce((sum, { stats }) => sum + stats.size, 0);
    const most = total > this.#maxBytes ? this.#maxBytes * KEPT_SHARE : this.#maxBytes;
    this.#bytes = total;
    for (const { name, stats } of files.toSorted((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)) {
      if (this.#bytes <= most) break;
      await rm(join(this.#path, name), { force: true });
      this.#bytes -= stats.size;
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
