import { Piscina } from "piscina";
import type { CompareTask } from "./compare-worker.ts";
import type { Comparison } from "./comparison.ts";

/** Compares screenshots in worker threads, so that the caller's event loop stays free. */
export class ComparePool {
  #pool: Piscina<CompareTask, Comparison>;

  /** `threads`: comparisons at once. They start now and stay warm. */
  constructor(options: { threads: number }) {
    this.#pool = new Piscina({
      filename: new URL("./compare-worker.ts", import.meta.url).href,
      minThreads: options.threads,
      maxThreads: options.threads,
    });
  }

  /**
   * Compares two PNG files' bytes, as `compareScreenshots` does. The buffers stay the caller's.
   * Rejects with an `UnreadableImageError`, or the signal's reason once that is aborted.
   */
  async compare(baseline: Buffer, current: Buffer, signal?: AbortSignal): Promise<Comparison> {
    signal?.throwIfAborted();
    const { mask, ...rest } = await this.#pool.run({ baseline, current }, signal ? { signal } : {});
    return { ...rest, mask: mask && Buffer.from(mask.buffer, mask.byteOffset, mask.byteLength) };
  }

  /** Waits for the comparisons under way, then ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}
