import { Piscina } from "piscina";
import { compareScreenshots } from "./compare.ts";
import type { Comparison, Region } from "./comparison.ts";
import { UnreadableImageError } from "./png-file.ts";
import { findChanges, type StripChanges, type StripCrop } from "./strip-changes.ts";

/** Its images are the worker's from then on. */
export interface CompareTask {
  baseline: Uint8Array<ArrayBuffer>;
  current: Uint8Array<ArrayBuffer>;
  colorThreshold: number | undefined;
  ignoreRegions: readonly Region[] | undefined;
}

/** An error loses its class between threads, so the one that callers tell apart travels as a value. */
export type CompareAnswer = { comparison: Comparison } | { unreadable: string };

/** Below this many pixels judging a crop here is quicker than handing it over. */
const SHARE_PX = 30_000;
/** Crops handed over at once: one being judged and some waiting while this thread judges one itself. */
const MAX_SHARED = 3;

/**
 * glibc hands free memory back to the system until it has seen blocks as large come and go (mallopt(3),
 * M_MMAP_THRESHOLD); to get it again, page by page, took up to a fifth of a comparison. So one of the largest size that
 * it learns from comes and goes here, untouched.
 */
const LARGEST_BLOCK_BYTES = 31 * 1024 * 1024;
new ArrayBuffer(LARGEST_BLOCK_BYTES).transfer(0);

const second = new Piscina<StripCrop, StripChanges>({
  filename: new URL("./strip-worker.ts", import.meta.url).href,
  minThreads: 0,
  maxThreads: 1,
  concurrentTasksPerWorker: MAX_SHARED,
  idleTimeout: 30_000,
});

/** The pool's worker: one comparison, its large changes shared with a second thread. */
export default async function compare({
  baseline,
  current,
  colorThreshold,
  ignoreRegions,
}: CompareTask): Promise<CompareAnswer> {
  let shared = 0;
  const find = async (crop: StripCrop) => {
    if (shared === MAX_SHARED || crop.width * crop.height < SHARE_PX) return findChanges(crop);
    shared++;
    try {
      return await second.run(crop, { transferList: [crop.before.buffer, crop.after.buffer] });
    } finally {
      shared--;
    }
  };
  try {
    const comparison = await compareScreenshots(baseline, current, { colorThreshold, ignoreRegions, find });
    // Were they left to the garbage collector, it would run at every few comparisons. After an error one of them may
    // still be being decoded.
    for (const { buffer } of [baseline, current]) buffer.transfer(0);
    return { comparison };
  } catch (error) {
    if (error instanceof UnreadableImageError) return { unreadable: error.message };
    throw error;
  }
}
