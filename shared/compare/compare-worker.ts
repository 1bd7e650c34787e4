import { compareScreenshots } from "./compare.ts";
import type { Comparison } from "./comparison.ts";

export interface CompareTask {
  baseline: Uint8Array;
  current: Uint8Array;
}

/** The pool's worker: one comparison. */
export default async function compare({ baseline, current }: CompareTask): Promise<Comparison> {
  return compareScreenshots(baseline, current);
}
