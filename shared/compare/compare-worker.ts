import { Piscina } from "piscina";
import { compareScreenshots } from "./compare.ts";
import type { Comparison, Region } from "./comparison.ts";
import { UnreadableImageError } from "./png-file.ts";
import { findChanges, type StripChanges, type StripCrop } from "./strip-changes.ts";

/** A comparison. The worker takes over the memory of the images. */
export interface CompareTask {
  baseline: Uint8Array<ArrayBuffer>;
  current: Uint8Array<ArrayBuffer>;
  colorThreshold: number | undefined;
  ignoreRegions: readonly Region[] | undefined;
}

/** An error loses its class between threads, so unreadable images are reported as values. */
export type CompareAnswer = { comparison: Comparison } | { unreadable: string };

/** Below this number of pixels, a crop is compared faster here than in the second thread. */
const SHARE_PX = 30_000;
/** Crops in the second thread: one is being compared, and some wait while this thread compares another one. */
const MAX_SHARED = 3;

/**
 * glibc returns free memory to the system until it has seen blocks of that size (mallopt(3), M_MMAP_THRESHOLD).
 * Requesting it again, page by page, took up to a fifth of a comparison. So this allocates and frees one block of the
 * largest size that glibc learns from.
 */
const LARGEST_BLOCK_BYTES = 31 * 1024 * 1024;
new ArrayBuffer(LARGEST_BLOCK_BYTES).transfer(0);

const second = new Piscina<StripCrop, StripChanges>({
  filename: new URL("./strip-changes.ts", import.meta.url).href,
  name: "findChanges",
  minThreads: 0,
  maxThreads: 1,
  concurrentTasksPerWorker: MAX_SHARED,
  idleTimeout: 30_000,
});

/** Runs one comparison in a thread of the pool, and shares its large changes with a second thread. */
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
    // Left to the garbage collector, these would cause a collection every few comparisons. After an error, one of them
    // may still be in use.
    for (const { buffer } of [baseline, current]) buffer.transfer(0);
    return { comparison };
  } catch (error) {
    if (error instanceof UnreadableImageError) return { unreadable: error.message };
    throw error;
  }
}
