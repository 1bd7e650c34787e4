import type { ReviewState, Verdict } from "../../../shared/contracts/reviews/review-view.ts";

/** One review of a screenshot, or the dismissal of reviews. */
export interface ReviewEntry {
  verdict: Verdict;
  /** Id of the user, or of a key without a user. */
  countsAs: string;
  /** For a dismissal: the reviewer whose reviews it dismisses. Null for all reviewers. */
  dismisses: string | null;
}

/**
 * Returns the reviews of one screenshot that count, from all its reviews in order: each reviewer's latest, unless
 * dismissed.
 */
export function countingReviews<Review extends ReviewEntry>(reviews: Review[]): Review[] {
  const last = new Map<string, Review>();
  for (const review of reviews) {
    if (review.verdict !== "dismissed") last.set(review.countsAs, review);
    else if (review.dismisses === null) last.clear();
    else last.delete(review.dismisses);
  }
  return [...last.values()];
}

/**
 * Returns the state of a screenshot from its reviews. One rejection rejects it, and enough approvals approve it.
 * @param required number of users and keys that must approve it
 * @param isHeld whether a carried approval approves it without further approvals
 */
export function reviewState(
  reviews: ReviewEntry[],
  required: number,
  isHeld: boolean,
): { state: ReviewState | null; approvals: number } {
  const counting = countingReviews(reviews);
  const approvals = counting.filter(review => review.verdict === "approved").length;
  if (approvals < counting.length) return { state: "rejected", approvals };
  if (isHeld || approvals >= required) return { state: "approved", approvals };
  return { state: approvals > 0 ? "pending" : null, approvals };
}
