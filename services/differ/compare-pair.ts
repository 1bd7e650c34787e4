import type { ComparePool } from "../../shared/compare/compare-pool.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CompareJob, ResultJob } from "../../shared/contracts/runs/jobs.ts";
import { COMPARE_ERRORS } from "./texts.ts";

/** What a differ works with. */
export interface DifferNode {
  pool: ComparePool;
  images: ImageStore;
  /** Hands on what was found; when it returns, that cannot get lost any more. */
  tell(result: ResultJob): Promise<void>;
}

/**
 * Compares a screenshot with its baseline, stores the mask, and tells of it. An image that no decoder takes fails its
 * screenshot; what throws is to be tried again.
 */
export async function comparePair(node: DifferNode, job: CompareJob, signal: AbortSignal): Promise<void> {
  const compared = await compareOrReason(node, job, signal);
  if (compared instanceof UnreadableImageError)
    return node.tell(comparisonFailed(job, whyUnreadable(compared)));
  const { mask, width: _width, height: _height, ...found } = compared;
  const maskHash = mask && (await node.images.put(mask));
  const { runId, screenshotId, baselineHash, currentHash, token } = job;
  const pair = { runId, screenshotId, baselineHash, currentHash, token };
  await node.tell({ kind: "compared", ...pair, ...found, maskHash });
}

async function compareOrReason(
  { images, pool }: DifferNode,
  { baselineHash, currentHash, colorThreshold, ignoreRegions }: CompareJob,
  signal: AbortSignal,
): Promise<Comparison | UnreadableImageError> {
  const [baseline, current] = await Promise.all([images.get(baselineHash), images.get(currentHash)]);
  try {
    return await pool.compare(baseline, current, { colorThreshold, ignoreRegions, signal });
  } catch (error) {
    if (error instanceof UnreadableImageError) return error;
    throw error;
  }
}

function whyUnreadable({ message }: UnreadableImageError): string {
  return COMPARE_ERRORS.unreadable(message);
}

/** What is told of a comparison that cannot be made. @param why for its user */
export function comparisonFailed({ runId, screenshotId, token }: CompareJob, why: string): ResultJob {
  const reason = COMPARE_ERRORS.failed(why);
  return { kind: "failed", runId, screenshotId, token, stage: "compare", reason };
}
