import type { ComparePool } from "../../shared/compare/compare-pool.ts";
import type { Region } from "../../shared/compare/comparison.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import type { CompareJob } from "../../shared/contracts/runs/jobs.ts";
import { asError } from "../../shared/errors.ts";
import { LOG_MESSAGES } from "./texts.ts";

/** The dependencies of explanations. */
export interface ExplainContext {
  pool: ComparePool;
  images: ImageStore;
  warn(error: Error, message: string): void;
}

/** Returns why the images differ. Null if that is unknown: a comparison never fails because of it. */
export async function explainPair(
  { images, pool, warn }: ExplainContext,
  { capsules, runId }: CompareJob,
  regions: Region[],
): Promise<Explanation | null> {
  if (!capsules) return null;
  try {
    const [baseline, current] = await Promise.all([
      images.get(capsules.baseline),
      images.get(capsules.current),
    ]);
    return await pool.explain(baseline, current, regions);
  } catch (error) {
    warn(asError(error), LOG_MESSAGES.notExplained(runId));
    return null;
  }
}
