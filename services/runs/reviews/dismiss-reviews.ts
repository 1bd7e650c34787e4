import type { Dismissed } from "../../../shared/contracts/runs/reviews.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { noteNoiseOfReviews } from "../noise/note-noise.ts";
import { noteActivity } from "../note-activity.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { REVIEW_ERRORS } from "../texts.ts";
import { findReviews } from "./review.store.ts";
import { addReviews, applyReviews, makeBaselines } from "./review-screenshots.ts";
import { countingReviews } from "./review-state.rule.ts";
import { changeReviews, clearCarriedApproval, type ReviewTransaction } from "./review-transaction.ts";

/**
 * Has reviews of a run's screenshots count no more, all or those named: the caller's own, or as an admin everybody's
 * and what was carried here. What came of them is taken back; the reviews themselves stay to be read.
 * @throws ServiceError not_found, invalid_request; conflict where there is nothing to dismiss; forbidden where it is others'
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
      // A rejection was all that stood in the way of what others approve.
      const newlyApproved = screenshots.filter(screenshot => !wereApproved.has(screenshot));
      await makeBaselines(transaction, newlyApproved, reviews, caller);
      await noteNoiseOfReviews(transaction.em, transaction.run, screenshots, reviews);
      return screenshots.length;
    },
  );
  await noteActivity(context, caller, "run.dismissed", review.runId, { screenshots: dismissed, reason });
  return { runId: review.runId, dismissed, conclusion };
}

/** @throws ServiceError conflict, forbidden */
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
