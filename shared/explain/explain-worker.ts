import { readCapsule } from "../capture/capsule/capsule.ts";
import type { Region } from "../compare/comparison.ts";
import type { Explanation } from "../contracts/runs/explanation.ts";
import { explain } from "./explain.ts";

/** Two packed capsules, and the changed regions of the image, px. */
export interface ExplainTask {
  baseline: Uint8Array;
  current: Uint8Array;
  regions: readonly Region[];
}

/** Explains a change in a thread, because large pages would block the caller. */
export default async function explainTask({ baseline, current, regions }: ExplainTask): Promise<Explanation> {
  const [before, after] = [await readCapsule(Buffer.from(baseline)), await readCapsule(Buffer.from(current))];
  return explain(before, after, regions);
}
