import type { ReviewState, Verdict } from "../../../shared/contracts/runs/review-view.ts";

/** One thing that was said of a screenshot. */
export interface ReviewEntry {
  verdict: Verdict;
  /** The person, or the key that is nobody's. */
  countsAs: string;
  /** Of a dismissal: whose reviews count no more; null for everybody's. */
  dismisses: string | null;
}

/** The reviews that count, of those of one screenshot in their order: each reviewer's last, unless it was dismissed. */
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
 * What a screenshot's reviews come to: rejected as soon as one rejects it, approved once enough approve it.
 * @param required people and keys who must approve it
 * @param isHeld whether it is approved however few approve it here: by an approval that carried
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
