import { type Comparison, differingPixels } from "../../shared/compare/comparison.ts";
import { UnreadableImageError } from "../../shared/compare/png-file.ts";
import type {
  ComparedPair,
  CompareJob,
  PairComparison,
  ResultJob,
} from "../../shared/contracts/runs/jobs.ts";
import { traced } from "../../shared/tracing/work-scope.ts";
import { type ExplainContext, explainPair } from "./explain-pair.ts";
import { COMPARE_ERRORS } from "./texts.ts";

/** The dependencies of a differ. */
export interface DifferContext extends ExplainContext {
  /** Reports a result. Once it returns, the result can't get lost. */
  report(result: ResultJob): Promise<void>;
}

/**
 * Compares a screenshot with its baseline, stores the mask, and reports the result. An unreadable image fails its
 * screenshot. Other errors are thrown, so that the job is retried.
 */
export async function comparePair(
  context: DifferContext,
  job: CompareJob,
  signal: AbortSignal,
): Promise<void> {
  const compared = await traced("compare pixels", () => compareOrReason(context, job, signal));
  if (compared instanceof UnreadableImageError)
    return context.report(comparisonFailed(job, describeUnreadable(compared)));
  const { mask, width: _width, height: _height, ...found } = compared;
  const maskHash = mask && (await traced("store mask", () => context.images.put(mask)));
  const explanation = differingPixels(found) > 0 ? await explainPair(context, job, found.regions) : null;
  const { runId, screenshotId, baselineHash, currentHash, token } = job;
  const pair = { runId, screenshotId, baselineHash, currentHash, token };
  await context.report({
    kind: "compared",
    ...pair,
    ...found,
    maskHash,
    ...(explanation && { explanation }),
  });
}

/**
 * Compares two stored images at once, and stores the mask.
 * @throws UnreadableImageError for an image that isn't a complete PNG
 */
export async function compareNow(
  { images, pool }: Pick<DifferContext, "images" | "pool">,
  { baselineHash, currentHash, colorThreshold, ignoreRegions }: ComparedPair,
): Promise<PairComparison> {
  const [baseline, current] = await Promise.all([images.get(baselineHash), images.get(currentHash)]);
  const compared = await pool.compare(baseline, current, { colorThreshold, ignoreRegions });
  const { mask, width: _width, height: _height, ...found } = compared;
  return { ...found, maskHash: mask && (await images.put(mask)) };
}

async function compareOrReason(
  { images, pool }: DifferContext,
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

function describeUnreadable({ message }: UnreadableImageError): string {
  return COMPARE_ERRORS.unreadable(message);
}

/** Returns the result of a failed comparison. @param why the reason, for users */
export function comparisonFailed({ runId, screenshotId, token }: CompareJob, why: string): ResultJob {
  const reason = COMPARE_ERRORS.failed(why);
  return { kind: "failed", runId, screenshotId, token, stage: "compare", reason };
}
