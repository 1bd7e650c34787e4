import type { Baseline } from "./baseline.entity.ts";
import { scopeInWords } from "./scope.ts";

type Candidate = Pick<Baseline, "scope" | "hash" | "width" | "height" | "browser" | "runId">;

/** The baseline that a screenshot is compared with, and why that one. */
export interface ChosenBaseline {
  baselineHash: string | null;
  baselineRunId: string | null;
  baselineReason: string | null;
  baselineWidth: number | null;
  baselineHeight: number | null;
  baselineBrowser: string | null;
}

const NONE: ChosenBaseline = {
  baselineHash: null,
  baselineRunId: null,
  baselineReason: null,
  baselineWidth: null,
  baselineHeight: null,
  baselineBrowser: null,
};

/**
 * Chooses among the latest approvals of one route and viewport, one a scope: the default branch's, else the
 * run's own scope's (its branch is ahead of a default branch that has none yet), else none.
 */
export function chooseBaseline(
  candidates: Candidate[],
  defaultScope: string,
  ownScope: string,
): ChosenBaseline {
  for (const scope of [defaultScope, ownScope]) {
    const candidate = candidates.find(baseline => baseline.scope === scope);
    if (candidate?.hash) return chosen(candidate, `latest approved on ${scopeInWords(scope)}`);
  }
  return NONE;
}

/** The approval of these very pixels in the run's own scope, which outdoes every other baseline. */
export function carriedBaseline(approval: Candidate): ChosenBaseline {
  return chosen(approval, `these pixels were approved on ${scopeInWords(approval.scope)}`);
}

function chosen(baseline: Candidate, reason: string): ChosenBaseline {
  return {
    baselineHash: baseline.hash,
    baselineRunId: baseline.runId,
    baselineReason: reason,
    baselineWidth: baseline.width,
    baselineHeight: baseline.height,
    baselineBrowser: baseline.browser,
  };
}
