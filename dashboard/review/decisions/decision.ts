import type { ReviewView } from "../../../shared/contracts/reviews/review-view.ts";
import { REJECTED_AS_NOISE } from "../../../shared/contracts/reviews/reviews.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { findOwnDecision, type OwnDecision, type Screenshot } from "../../api/screenshot.ts";
import { UNDONE_REASON } from "../../texts/review.ts";

/** A decision on screenshots of a run. A verdict of null undoes the reader's own decision. */
export interface Decision {
  ids: readonly string[];
  verdict: OwnDecision["verdict"] | null;
  /** Reason of a rejection, or note of an approval; null without one. */
  reason: string | null;
  /** Whether it is rejected as a false alarm. */
  noise?: boolean;
}

/** The reader as a reviewer, and the number of approvals that the team requires. */
export interface Reviewer {
  by: ReviewView["by"];
  /** A user and the API keys that the user created count as one reviewer. */
  countsAs: string;
  requiredApprovals: number;
}

/** Statuses that need a decision. Failed screenshots have no pixels to approve. */
const REVIEWED_STATUSES = new Set<Screenshot["status"]>(["changed", "new", "removed"]);

/** Returns a rejection with a reason, or as noise, which needs none. */
export function rejection(reason: string | null, isNoise: boolean): Pick<Decision, "reason" | "noise"> {
  return isNoise ? { reason: reason ?? REJECTED_AS_NOISE, noise: true } : { reason };
}

/** Returns whether the run has something to decide on. Null reruns aren't reviewed. */
export const isReviewable = ({ kind, status }: Pick<RunView, "kind" | "status">): boolean =>
  kind === "run" && status === "completed";

/** Returns whether the run needs a decision on the screenshot, made or not. */
export const needsReview = ({ status }: Screenshot): boolean => REVIEWED_STATUSES.has(status);

/** Returns whether the screenshot can be approved: it needs review, or is a minor change, which doesn't. */
const isApprovable = (shot: Screenshot): boolean => needsReview(shot) || shot.minor;

/** Returns whether the decision of this reader has an effect. */
export function isDecidable(shot: Screenshot, verdict: Decision["verdict"]): boolean {
  const { status, review, carried, ownDecision } = shot;
  if (verdict === null) return ownDecision !== null;
  if (verdict === "rejected") return isApprovable(shot) || status === "failed";
  // Approving a carried approval again would only turn it into a decision of this run.
  const isApproved =
    review?.state === "approved" && (carried !== null || ownDecision?.verdict === "approved");
  return isApprovable(shot) && !isApproved;
}

/**
 * Returns whether the screenshot waits for this reader's decision. An approved one may still wait for other
 * reviewers.
 */
export const isOpen = (shot: Screenshot): boolean => needsReview(shot) && isUndecided(shot);

/**
 * Returns whether this reader may still decide on the screenshot. Runs don't wait for decisions on minor
 * changes.
 */
export function isUndecided(shot: Screenshot): boolean {
  const { review, ownDecision } = shot;
  return isApprovable(shot) && (review === null || (review.state === "pending" && ownDecision === null));
}

/** Returns the screenshots with the decision applied, as the service does it. */
export function applyDecision(
  shots: readonly Screenshot[],
  decision: Decision,
  reviewer: Reviewer,
): Screenshot[] {
  const affected = new Set(decision.ids);
  return shots.map(shot =>
    affected.has(shot.id) && isDecidable(shot, decision.verdict)
      ? withReview(shot, decision, reviewer)
      : shot,
  );
}

function withReview(
  shot: Screenshot,
  { verdict, reason, noise }: Decision,
  { by, countsAs, requiredApprovals }: Reviewer,
): Screenshot {
  const before = shot.reviews.map(decidedReviews =>
    decidedReviews.countsAs === countsAs ? { ...decidedReviews, stands: false } : decidedReviews,
  );
  const at = new Date().toISOString();
  const decidedReviews: ReviewView =
    verdict === null
      ? { verdict: "dismissed", by, countsAs, reason: UNDONE_REASON, at, stands: false }
      : { verdict, by, countsAs, reason, ...(noise && { noise }), at, stands: true };
  const reviews = [...before, decidedReviews];
  const isFixed = verdict !== "approved" || (shot.review?.state === "approved" && shot.carried === null);
  const required = isFixed ? (shot.review?.required ?? 1) : requiredApprovals;
  const review = reviewOf(reviews, required, shot.carried !== null);
  const endsCarry = verdict === "approved" && (review?.approvals ?? 0) >= required;
  return {
    ...shot,
    reviews,
    review,
    ownDecision: findOwnDecision(reviews, countsAs),
    carried: endsCarry ? null : shot.carried,
  };
}

/** Combines the reviews: rejected after one rejection that counts, approved after enough approvals. */
function reviewOf(
  reviews: readonly ReviewView[],
  required: number,
  isCarried: boolean,
): Screenshot["review"] {
  const standing = reviews.filter(({ stands }) => stands);
  const approvals = standing.filter(({ verdict }) => verdict === "approved").length;
  if (approvals < standing.length) return { state: "rejected", approvals, required };
  if (isCarried || approvals >= required) return { state: "approved", approvals, required };
  return approvals > 0 ? { state: "pending", approvals, required } : null;
}

/**
 * Returns the decisions that restore the reader's current ones on these screenshots. Equal ones are joined.
 * If a screenshot has no earlier decision, its decision is undone.
 */
export function decisionsToUndo(shots: readonly Screenshot[], { ids, verdict }: Decision): Decision[] {
  const affected = new Set(ids);
  const touched = shots.filter(shot => affected.has(shot.id) && isDecidable(shot, verdict));
  const alike = Map.groupBy(touched, ({ ownDecision }) => JSON.stringify(ownDecision));
  return [...alike.values()].map(some => ({
    ids: some.map(({ id }) => id),
    verdict: some[0]?.ownDecision?.verdict ?? null,
    reason: some[0]?.ownDecision?.reason ?? null,
    ...(some[0]?.ownDecision?.noise && { noise: true }),
  }));
}
