import type { RunView } from "../../shared/contracts/http.ts";
import type { ReviewState, ReviewView } from "../../shared/contracts/review-view.ts";
import { REJECTED_AS_NOISE } from "../../shared/contracts/reviews.ts";
import { approvalsInWords } from "../../shared/report/review-words.ts";
import { type Mine, mineIn, type Shot } from "../api/shot.ts";

/** What is decided on screenshots of a run; a verdict of null takes back what the reader has said. */
export interface Decision {
  ids: readonly string[];
  verdict: Mine["verdict"] | null;
  /** Why they are rejected; null for the others. */
  reason: string | null;
  /** Whether they are rejected as a false alarm. */
  noise?: boolean;
}

/** Who decides, and how many approvals her team asks for. */
export interface Reviewer {
  by: ReviewView["by"];
  /** A person who signed in with a key of hers is one reviewer. */
  countsAs: string;
  requiredApprovals: number;
}

/** Written down where somebody takes back what she said. */
export const TAKEN_BACK = "Taken back";

/** Statuses that a reviewer decides on; what failed has no pixels to approve. */
const IN_QUESTION = new Set<Shot["status"]>(["changed", "new", "removed"]);

/** A rejection for this reason, or as noise, for which no reason is needed. */
export function rejection(reason: string | null, isNoise: boolean): Pick<Decision, "reason" | "noise"> {
  return isNoise ? { reason: reason ?? REJECTED_AS_NOISE, noise: true } : { reason };
}

/** Whether there is something to decide on in the run by now. A null rerun is not reviewed. */
export const isReviewable = ({ kind, status }: Pick<RunView, "kind" | "status">): boolean =>
  kind === "run" && status === "completed";

/** Returns whether the run needs a decision on the screenshot, made or not. */
export const needsReview = ({ status }: Shot): boolean => IN_QUESTION.has(status);

/** Returns whether the screenshot can be approved: it needs review, or is a minor change, which does not. */
const isApprovable = (shot: Shot): boolean => needsReview(shot) || shot.minor;

/** Whether the decision, by this reader, means anything. */
export function isDecidable(shot: Shot, verdict: Decision["verdict"]): boolean {
  const { status, review, carried, mine } = shot;
  if (verdict === null) return mine !== null;
  if (verdict === "rejected") return isApprovable(shot) || status === "failed";
  // Approving what an approval carried to would make its decision one of this run's, for nothing.
  const isApproved = review?.state === "approved" && (carried !== null || mine?.verdict === "approved");
  return isApprovable(shot) && !isApproved;
}

/** Whether the screenshot waits for this reader's decision; what she approves may still wait for others. */
export const isOpen = (shot: Shot): boolean => needsReview(shot) && isUndecided(shot);

/** Returns whether this reader may still decide on the screenshot; no run waits for that of a minor change. */
export function isUndecided(shot: Shot): boolean {
  const { review, mine } = shot;
  return isApprovable(shot) && (review === null || (review.state === "pending" && mine === null));
}

/** The screenshots as they are once the decision is made, as the service has it too. */
export function decided(shots: readonly Shot[], decision: Decision, reviewer: Reviewer): Shot[] {
  const meant = new Set(decision.ids);
  return shots.map(shot =>
    meant.has(shot.id) && isDecidable(shot, decision.verdict) ? withSaid(shot, decision, reviewer) : shot,
  );
}

function withSaid(
  shot: Shot,
  { verdict, reason, noise }: Decision,
  { by, countsAs, requiredApprovals }: Reviewer,
): Shot {
  const before = shot.reviews.map(said => (said.countsAs === countsAs ? { ...said, stands: false } : said));
  const at = new Date().toISOString();
  const said: ReviewView =
    verdict === null
      ? { verdict: "dismissed", by, countsAs, reason: TAKEN_BACK, at, stands: false }
      : { verdict, by, countsAs, reason, ...(noise && { noise }), at, stands: true };
  const reviews = [...before, said];
  const isFixed = verdict !== "approved" || (shot.review?.state === "approved" && shot.carried === null);
  const required = isFixed ? (shot.review?.required ?? 1) : requiredApprovals;
  const review = reviewOf(reviews, required, shot.carried !== null);
  const endsCarry = verdict === "approved" && (review?.approvals ?? 0) >= required;
  return {
    ...shot,
    reviews,
    review,
    mine: mineIn(reviews, countsAs),
    carried: endsCarry ? null : shot.carried,
  };
}

/** What the reviews come to: rejected as soon as one who counts rejects, approved once enough approve. */
function reviewOf(reviews: readonly ReviewView[], required: number, isCarried: boolean): Shot["review"] {
  const standing = reviews.filter(({ stands }) => stands);
  const approvals = standing.filter(({ verdict }) => verdict === "approved").length;
  if (approvals < standing.length) return { state: "rejected", approvals, required };
  if (isCarried || approvals >= required) return { state: "approved", approvals, required };
  return approvals > 0 ? { state: "pending", approvals, required } : null;
}

/**
 * The decisions that have the reader say again what she says now, after one on these screenshots: what was alike is
 * one, and where she had said nothing it is taken back.
 */
export function undoing(shots: readonly Shot[], { ids, verdict }: Decision): Decision[] {
  const meant = new Set(ids);
  const touched = shots.filter(shot => meant.has(shot.id) && isDecidable(shot, verdict));
  const alike = Map.groupBy(touched, ({ mine }) => JSON.stringify(mine));
  return [...alike.values()].map(some => ({
    ids: some.map(({ id }) => id),
    verdict: some[0]?.mine?.verdict ?? null,
    reason: some[0]?.mine?.reason ?? null,
    ...(some[0]?.mine?.noise && { noise: true }),
  }));
}

/** What a decision came to on these screenshots, in words; `/pricing approved.` */
export function outcomeInWords(shots: readonly Shot[], verdict: Mine["verdict"]): string {
  const [first] = shots;
  const isOne = shots.length === 1;
  const what = isOne ? `${first?.route} ${verdict}` : `${shots.length} screenshots ${verdict}`;
  const count = (state: ReviewState) => shots.filter(({ review }) => review?.state === state).length;
  const [waiting, refused] = [count("pending"), count("rejected")];
  if (verdict === "rejected" || waiting + refused === 0) return `${what}.`;
  if (isOne && first?.review && waiting > 0) return `${what} by you: ${approvalsInWords(first.review)}.`;
  if (isOne) return `${what} by you; others reject it.`;
  const still = [
    waiting > 0 && `${waiting} ${waiting === 1 ? "waits" : "wait"} for others`,
    refused > 0 && `${refused} ${refused === 1 ? "is" : "are"} rejected by others`,
  ];
  return `${what} by you; ${still.filter(words => words !== false).join(", ")}.`;
}
