import { Piscina } from "piscina";
import { compareScreenshots } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import { UnreadableImageError } from "./png-file.ts";
import { findChanges, type StripChanges, type StripCrop } from "./strip-changes.ts";

export interface CompareTask {
  baseline: Uint8Array;
  current: Uint8Array;
  colorThreshold: number | undefined;
}

/** An error loses its class between threads, so the one that callers tell apart travels as a value. */
export type CompareAnswer = { comparison: Comparison } | { unreadable: string };

/** Below this many pixels judging a crop here is quicker than handing it over. */
const SHARE_PX = 50_000;
/** Crops handed over at once: one being judged and some waiting while this thread judges one itself. */
const MAX_SHARED = 3;

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
    return { comparison: await compareScreenshots(baseline, current, { colorThreshold, find }) };
  } catch (error) {
    if (error instanceof UnreadableImageError) return { unreadable: error.message };
    throw error;
  }
}
