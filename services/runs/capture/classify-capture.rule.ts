import type { Region } from "../../../shared/compare/comparison.ts";
import type { CapturedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import type { Baseline } from "../baselines/baseline.entity.ts";
import { type ChosenBaseline, carriedBaseline } from "../baselines/choose-baseline.rule.ts";
import { isSettledBy } from "../noise/suggest-regions.rule.ts";
import type { CaptureRecord } from "../screenshot.store.ts";

/** What a capture means: equal bytes are unchanged, no baseline is new, the rest waits for its comparison. */
export function classifyCapture(
  screenshot: ChosenBaseline & { ignoreRegions: readonly Region[] },
  capture: CapturedScreenshot,
  approval:
    | Pick<Baseline, "scope" | "hash" | "width" | "height" | "browser" | "rendering" | "runId">
    | undefined,
): CaptureRecord {
  const baseline = approval ? carriedBaseline(approval) : baselineOf(screenshot);
  const { runId, screenshotId, movingRegions = [], ...facts } = capture;
  const status = statusOf(baseline.baselineHash, capture.hash);
  // What is ignored already is no news of noise.
  const moving = movingRegions.filter(
    region => !screenshot.ignoreRegions.some(ignored => isSettledBy(region, ignored)),
  );
  return { id: screenshotId, runId, ...facts, movingRegions: moving, ...baseline, status };
}

function statusOf(baselineHash: string | null, hash: string): CaptureRecord["status"] {
  if (baselineHash === null) return "new";
  return baselineHash === hash ? "unchanged" : "pending";
}

function baselineOf(screenshot: ChosenBaseline): ChosenBaseline {
  return {
    baselineHash: screenshot.baselineHash,
    baselineRunId: screenshot.baselineRunId,
    baselineReason: screenshot.baselineReason,
    baselineWidth: screenshot.baselineWidth,
    baselineHeight: screenshot.baselineHeight,
    baselineBrowser: screenshot.baselineBrowser,
    baselineRendering: screenshot.baselineRendering,
  };
}

/**
 * Whether an approval in the run's own scope could speak for this capture: on a pull request or a side branch, and
 * not when the baseline is these pixels already. On the default branch only the latest approval counts, for an
 * earlier look that comes back there is a change.
 */
export function mayCarry(
  run: { scope: string; defaultScope: string },
  screenshot: { baselineHash: string | null },
  capture: { hash: string },
): boolean {
  return run.scope !== run.defaultScope && screenshot.baselineHash !== capture.hash;
}
