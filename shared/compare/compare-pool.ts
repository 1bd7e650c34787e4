import { Piscina } from "piscina";
import type { CompareOptions } from "./changes.ts";
import { compareBytes } from "./compare.ts";
import type { CompareAnswer, CompareTask } from "./compare-worker.ts";
import type { Comparison } from "./comparison.ts";
import { UnreadableImageError } from "./png-file.ts";

type PoolOptions = Omit<CompareOptions, "find"> & { signal?: AbortSignal | undefined };

/** Compares screenshots in worker threads, so that the caller's event loop stays free. */
export class ComparePool {
  #pool: Piscina<CompareTask, CompareAnswer>;

  /** @param options `threads` is the number of concurrent comparisons. The threads start now and stay warm. */
  constructor(options: { threads: number }) {
    this.#pool = new Piscina({
      filename: new URL("./compare-worker.ts", import.meta.url).href,
      minThreads: options.threads,
      maxThreads: options.threads,
    });
  }

  /**
   * Compares the bytes of two PNG files like `compareScreenshots`. The caller keeps the buffers.
   * Rejects with an `UnreadableImageError`, or with an `AbortError` once the signal is aborted.
   */
  async compare(
    baseline: Buffer,
    current: Buffer,
    { colorThreshold, ignoreRegions, signal }: PoolOptions = {},
  ): Promise<Comparison> {
    signal?.throwIfAborted();
    const same = compareBytes(baseline, current, ignoreRegions);
    if (same) return same;
    // One copy that is transferred is cheaper than a message, which copies twice.
    const [before, after] = [new Uint8Array(baseline), new Uint8Array(current)];
    const answer = await this.#pool.run(
      { baseline: before, current: after, colorThreshold, ignoreRegions },
      { transferList: [before.buffer, after.buffer], ...(signal && { signal }) },
    );
    if ("unreadable" in answer) throw new UnreadableImageError(answer.unreadable);
    const { mask, ...rest } = answer.comparison;
    return { ...rest, mask: mask && Buffer.from(mask.buffer, mask.byteOffset, mask.byteLength) };
  }

  /** Waits for pending comparisons, then ends the threads. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}
