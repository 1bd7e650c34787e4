import { Piscina } from "piscina";
import type { Explanation } from "../contracts/runs/explanation.ts";
import type { ExplainTask } from "../explain/explain-worker.ts";
import type { CompareOptions } from "./changes.ts";
import { compareBytes } from "./compare.ts";
import type { CompareAnswer, CompareTask } from "./compare-worker.ts";
import type { Comparison, Region } from "./comparison.ts";
import { UnreadableImageError } from "./png-file.ts";

const COMPARE_WORKER = new URL("./compare-worker.ts", import.meta.url).href;
const EXPLAIN_WORKER = new URL("../explain/explain-worker.ts", import.meta.url).href;

type PoolOptions = Omit<CompareOptions, "find"> & { signal?: AbortSignal | undefined };

/** Compares screenshots in worker threads, so that the caller's event loop stays free. */
export class ComparePool {
  readonly #threads: Piscina;

  /** @param options `threads` is the number of concurrent comparisons. The threads start now and stay warm. */
  constructor(options: { threads: number }) {
    this.#threads = new Piscina({
      filename: COMPARE_WORKER,
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
    const task: CompareTask = { baseline: before, current: after, colorThreshold, ignoreRegions };
    const answer: CompareAnswer = await this.#threads.run(task, {
      transferList: [before.buffer, after.buffer],
      ...(signal && { signal }),
    });
    if ("unreadable" in answer) throw new UnreadableImageError(answer.unreadable);
    const { mask, ...rest } = answer.comparison;
    return { ...rest, mask: mask && Buffer.from(mask.buffer, mask.byteOffset, mask.byteLength) };
  }

  /**
   * Explains why two images differ from their packed capsules, like `explain`.
   * @throws Error if one of them is damaged
   */
  async explain(baseline: Buffer, current: Buffer, regions: readonly Region[]): Promise<Explanation> {
    const task: ExplainTask = { baseline, current, regions };
    // In the same threads: a thread more costs more than most explanations.
    return await this.#threads.run(task, { filename: EXPLAIN_WORKER });
  }

  /** Waits for pending comparisons, then ends the threads. */
  async close(): Promise<void> {
    await this.#threads.close();
  }
}
