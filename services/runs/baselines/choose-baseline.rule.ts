import { BASELINE_REASONS } from "../texts.ts";
import type { Baseline } from "./baseline.entity.ts";
import { describeScope } from "./scope.rule.ts";

export type Candidate = Pick<
  Baseline,
  "scope" | "hash" | "width" | "height" | "browser" | "rendering" | "runId"
>;

/** The baseline that a screenshot is compared with, and why that one. */
export interface ChosenBaseline {
  baselineHash: string | null;
  baselineRunId: string | null;
  baselineReason: string | null;
  baselineWidth: number | null;
  baselineHeight: number | null;
  baselineBrowser: string | null;
  baselineRendering: string | null;
}

/** Where a run's baselines are looked for. */
export interface BaselineOrder {
  /** The branch that is compared with first: the one that the change is going to. */
  base: string;
  /** The default branch's, where that has none. */
  default: string;
  /** The run's own, where neither has any. */
  own: string;
  /** Where the run's branch left the base; null where nobody said, and `known` where its approvals of then are told apart. */
  mergeBase: { sha: string | null; known: boolean } | null;
}

const NONE: ChosenBaseline = {
  baselineHash: null,
  baselineRunId: null,
  baselineReason: null,
  baselineWidth: null,
  baselineHeight: null,
  baselineBrowser: null,
  baselineRendering: null,
};

/**
 * Chooses the baseline of one route and viewport: the base branch's at the merge base, else its latest, else the default
 * branch's, else the run's own scope's (its branch is ahead of a default branch that has none yet), else none.
 * @param latest the latest approvals, one a scope
 * @param then the base branch's at the merge base, where that is known and there was one
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
  return NONE;
}

/** Returns why it is the latest, and why not that of the merge base. */
function reasonOfLatest(base: string, mergeBase: BaselineOrder["mergeBase"], at: string | null): string {
  const { latest, latestUnknownMergeBase, latestAfterMergeBase } = BASELINE_REASONS;
  if (mergeBase === null) return latest(base);
  return at === null ? latestUnknownMergeBase(base) : latestAfterMergeBase(base, at);
}

/** The approval of these very pixels in the run's own scope, which outdoes every other baseline. */
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
  };
}
