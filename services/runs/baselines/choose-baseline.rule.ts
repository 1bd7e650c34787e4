import type { SelectorRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import { BASELINE_REASONS } from "../texts/runs.ts";
import type { Baseline } from "./baseline.entity.ts";
import { describeScope } from "./scope.rule.ts";

export type Candidate = Pick<
  Baseline,
  "scope" | "hash" | "width" | "height" | "browser" | "rendering" | "selectorRegions" | "runId"
>;

/** The baseline of a screenshot, and why it was chosen. */
export interface ChosenBaseline {
  baselineHash: string | null;
  baselineRunId: string | null;
  baselineReason: string | null;
  baselineWidth: number | null;
  baselineHeight: number | null;
  baselineBrowser: string | null;
  baselineRendering: string | null;
  baselineSelectorRegions: SelectorRegions[] | null;
}

/** The scopes in which a run's baselines are searched, in this order. */
export interface BaselineOrder {
  /** Scope of the branch that the change goes to. */
  base: string;
  /** Scope of the default branch, if the base has no baseline. */
  default: string;
  /** The run's own scope, if neither has one. */
  own: string;
  /** Merge base of the run's branch. Null if there is none. `known` is true if the approvals of that time are known. */
  mergeBase: { sha: string | null; known: boolean } | null;
}

/** The fields of a screenshot without a baseline. */
export const NO_BASELINE: ChosenBaseline = {
  baselineHash: null,
  baselineRunId: null,
  baselineReason: null,
  baselineWidth: null,
  baselineHeight: null,
  baselineBrowser: null,
  baselineRendering: null,
  baselineSelectorRegions: null,
};

/**
 * Chooses the baseline of one page.
 * The order is: the base branch at the merge base, the base branch's latest, the default branch's latest, the run's own
 * scope. The last case is a branch ahead of a default branch that has no baseline yet.
 * @param latest latest approvals, one per scope
 * @param then the base branch's approval at the merge base, if known
 */
export function chooseBaseline(
  latest: Candidate[],
  then: Candidate | undefined,
  order: BaselineOrder,
): ChosenBaseline {
  const { base, mergeBase } = order;
  const at = mergeBase?.known ? (mergeBase.sha?.slice(0, 7) ?? "") : null;
  const [first, ...others] = [...new Set([base, order.default, order.own])].map(scope => ({
    scope,
    candidate: latest.find(baseline => baseline.scope === scope),
  }));
  if (at !== null && then) {
    if (then.hash !== null)
      return toBaselineFields(then, BASELINE_REASONS.atMergeBase(describeScope(base), at));
  } else if (first?.candidate?.hash) {
    return toBaselineFields(first.candidate, reasonOfLatest(describeScope(base), mergeBase, at));
  }
  for (const { scope, candidate } of others) {
    if (!candidate?.hash) continue;
    const [scopeName, baseName] = [describeScope(scope), describeScope(base)];
    const { latest, latestInstead } = BASELINE_REASONS;
    return toBaselineFields(
      candidate,
      scope === order.default ? latestInstead(scopeName, baseName) : latest(scopeName),
    );
  }
  return NO_BASELINE;
}

/** Explains why the latest baseline was chosen instead of the one at the merge base. */
function reasonOfLatest(base: string, mergeBase: BaselineOrder["mergeBase"], at: string | null): string {
  const { latest, latestUnknownMergeBase, latestAfterMergeBase } = BASELINE_REASONS;
  if (mergeBase === null) return latest(base);
  return at === null ? latestUnknownMergeBase(base) : latestAfterMergeBase(base, at);
}

/** Returns an approval of the same pixels in the run's own scope as the baseline. It precedes every other baseline. */
export function carriedBaseline(approval: Candidate): ChosenBaseline {
  return toBaselineFields(approval, BASELINE_REASONS.samePixels(describeScope(approval.scope)));
}

function toBaselineFields(baseline: Candidate, reason: string): ChosenBaseline {
  return {
    baselineHash: baseline.hash,
    baselineRunId: baseline.runId,
    baselineReason: reason,
    baselineWidth: baseline.width,
    baselineHeight: baseline.height,
    baselineBrowser: baseline.browser,
    baselineRendering: baseline.rendering,
    baselineSelectorRegions: baseline.selectorRegions,
  };
}
