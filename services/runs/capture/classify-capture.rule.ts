import { NO_DIAGNOSTICS } from "../../../shared/contracts/capture/diagnostics.ts";
import { type AppliedRegion, joinRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import type { CapturedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import { type Candidate, type ChosenBaseline, carriedBaseline } from "../baselines/choose-baseline.rule.ts";
import { isDecidedBy } from "../noise/suggest-regions.rule.ts";
import type { CaptureRecord } from "./result.store.ts";

/** Classifies a capture: equal bytes are unchanged, without a baseline it is new, and the rest needs a comparison. */
export function classifyCapture(
  screenshot: ChosenBaseline & { ignoreRegions: readonly AppliedRegion[] },
  capture: CapturedScreenshot,
  approval: Candidate | undefined,
): CaptureRecord {
  const chosen = baselineOf(screenshot);
  const baseline = approval ? carriedBaseline(approval) : chosen;
  const replacedBaseline = approval ? chosen : null;
  const { runId, screenshotId, movingRegions = [], diagnostics, selectorRegions = [], ...facts } = capture;
  const status = statusOf(baseline.baselineHash, capture.hash);
  const ignoreRegions = joinRegions(
    screenshot.ignoreRegions,
    selectorRegions,
    baseline.baselineSelectorRegions ?? [],
  );
  // Movement in an ignore region isn't noise.
  const moving = movingRegions.filter(region => !ignoreRegions.some(ignored => isDecidedBy(region, ignored)));
  return {
    ...{ id: screenshotId, runId, ...facts, movingRegions: moving },
    ignoreRegions,
    selectorRegions: selectorRegions.length > 0 ? selectorRegions : null,
    diagnostics: diagnostics === undefined ? null : (diagnostics ?? NO_DIAGNOSTICS),
    ...{ ...baseline, replacedBaseline, status },
  };
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
    baselineSelectorRegions: screenshot.baselineSelectorRegions,
  };
}

/**
 * Returns whether an approval in the run's own scope can apply to this capture.
 * It can on pull requests and side branches, unless the baseline already has these pixels. On the default branch only
 * the latest approval counts, because the return of an earlier look is a change there.
 */
export function mayCarry(
  run: { scope: string; defaultScope: string },
  screenshot: { baselineHash: string | null },
  capture: { hash: string },
): boolean {
  return run.scope !== run.defaultScope && screenshot.baselineHash !== capture.hash;
}
