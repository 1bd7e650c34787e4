import type { Dismissed } from "../../../shared/contracts/reviews/reviews.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { noteNoiseOfReviews } from "../noise/note-noise.ts";
import { noteActivity } from "../note-activity.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { REVIEW_ERRORS } from "../texts/reviews.ts";
import { findReviews } from "./review.store.ts";
import { addReviews, applyReviews, makeBaselines } from "./review-screenshots.ts";
import { countingReviews } from "./review-state.rule.ts";
import { changeReviews, clearCarriedApproval, type ReviewTransaction } from "./review-transaction.ts";

/**
 * Dismisses reviews of a run's screenshots, all or the selected ones.
 * Members dismiss their own reviews. Admins dismiss all reviews and carried approvals. The effects of dismissed reviews
 * are undone, but the reviews stay visible.
 * @throws ServiceError not_found, invalid_request; conflict if there is nothing to dismiss; forbidden if the reviews
 *   are by others
 */
export async function dismiss(
  context: RunsContext,
  caller: Caller,
  { reason, own, ...review }: { runId: string; screenshots?: string[]; reason: string; own: boolean },
): Promise<Dismissed> {
  const onlyOwn = own || caller.role !== "admin";
  const { result: dismissed, conclusion } = await changeReviews(
    context,
    caller,
    review,
    async transaction => {
      const screenshots = await dismissable(transaction, caller, onlyOwn);
      const wereApproved = new Set(screenshots.filter(screenshot => screenshot.review === "approved"));
      const dismisses = onlyOwn ? countsAs(caller) : null;
      const reviews = await addReviews(transaction, screenshots, caller, {
        verdict: "dismissed",
        reason,
        dismisses,
      });
      for (const screenshot of screenshots) {
        if (!onlyOwn) clearCarriedApproval(screenshot);
        applyReviews(screenshot, reviews);
      }
      const noLongerApproved = [...wereApproved].filter(screenshot => screenshot.review !== "approved");
      await transaction.undoApprovals(noLongerApproved.map(screenshot => screenshot.id));
      // With its rejection dismissed, a screenshot is approved by the remaining approvals.
      const newlyApproved = screenshots.filter(screenshot => !wereApproved.has(screenshot));
      await makeBaselines(transaction, newlyApproved, reviews, caller);
      await noteNoiseOfReviews(transaction.em, transaction.run, screenshots, reviews);
      return screenshots.length;
    },
  );
  await noteActivity(context, caller, "run.dismissed", review.runId, { screenshots: dismissed, reason });
  return { runId: review.runId, dismissed, conclusion };
}

/** Finds the screenshots with reviews to dismiss. @throws ServiceError conflict, forbidden */
async function dismissable(
  { em, screenshots }: ReviewTransaction,
  caller: Caller,
  onlyOwn: boolean,
): Promise<Screenshot[]> {
  const reviewed = screenshots.filter(screenshot => screenshot.reviews > 0);
  const reviews = await findReviews(
    em,
    reviewed.map(screenshot => screenshot.id),
  );
  const reviewersOf = ({ id }: Screenshot) =>
    countingReviews(reviews.get(id) ?? []).map(review => review.countsAs);
  const reviewedScreenshots = screenshots.filter(
    screenshot => reviewersOf(screenshot).length > 0 || screenshot.carriedRunId !== null,
  );
  const found = onlyOwn
    ? screenshots.filter(screenshot => reviewersOf(screenshot).includes(countsAs(caller)))
    : reviewedScreenshots;
  if (found.length > 0) return found;
  if (reviewedScreenshots.length > 0 && caller.role !== "admin") {
    throw new ServiceError("forbidden", REVIEW_ERRORS.nothingOwn);
  }
  throw new ServiceError("conflict", REVIEW_ERRORS.nothingToDismiss);
}
