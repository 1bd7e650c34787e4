import { call } from "../../../shared/contracts/bus.ts";
import type { Approved, Rejected } from "../../../shared/contracts/runs/reviews.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import type { Baseline } from "../baselines/baseline.entity.ts";
import { insertBaselines } from "../baselines/baseline.store.ts";
import { commitOf } from "../baselines/scope.rule.ts";
import { noteNoiseOfReviews } from "../noise/note-noise.ts";
import { noteActivity } from "../note-activity.ts";
import { runOf } from "../queries/read-runs.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { REVIEW_ERRORS } from "../texts.ts";
import { findRejected, findReviews, insertReviews, type Review } from "./review.store.ts";
import { countingReviews, reviewState } from "./review-state.rule.ts";
import {
  changeReviews,
  clearCarriedApproval,
  type ReviewTransaction,
  reviewOf,
} from "./review-transaction.ts";
import { isApprovable, isMinorChange, needsReview } from "./reviewable.rule.ts";

/** More than any team needs; without a bound, who changes her mind for ever would fill the disk. */
const MAX_REVIEWS = 30;

type NewReview = Pick<Review, "verdict" | "reason" | "dismisses"> & { noise?: boolean };

/** Which screenshots of a run a review is of. */
interface ReviewSelection {
  runId: string;
  /** Ids; absent for all that needs review. */
  screenshots?: string[];
}

/**
 * Approves a run's screenshots: those named, or all that needs review, and the minor changes if they are included. Once enough people approve one and nobody rejects it, it is the
 * baseline of the run's scope. What the service approves by itself does not go over what a person rejects.
 * @throws ServiceError not_found, conflict, invalid_request; forbidden for who submitted the run, if the team wants that
 */
export async function approve(
  context: RunsContext,
  caller: Caller,
  review: ReviewSelection & { includeMinor?: boolean },
): Promise<Approved> {
  const { requiredApprovals, allowSelfApproval } = await settingsFor(context, caller);
  if (!allowSelfApproval) await refuseSubmitter(context, caller, review.runId);
  const { result, conclusion } = await changeReviews(context, caller, review, async transaction => {
    const isSelected = review.screenshots || review.includeMinor ? isApprovable : needsReview;
    const screenshots = await approvable(transaction, caller, isSelected);
    const before = reviewsOf(screenshots);
    const reviews = await addReviews(transaction, screenshots, caller, {
      verdict: "approved",
      reason: null,
      dismisses: null,
    });
    for (const screenshot of screenshots) {
      const isCarried = screenshot.carriedRunId !== null;
      // What is decided stays so, whatever the team asks for by now.
      if (screenshot.review !== "approved" || isCarried) screenshot.requiredApprovals = requiredApprovals;
      applyReviews(screenshot, reviews);
      if (screenshot.approvals >= requiredApprovals) clearCarriedApproval(screenshot);
    }
    await makeBaselines(transaction, screenshots, reviews, caller);
    await noteNoiseOfReviews(transaction.em, transaction.run, screenshots, reviews);
    return { counts: tally(screenshots), isFresh: reviewsOf(screenshots) > before };
  });
  const { approved, pending } = result.counts;
  if (result.isFresh) {
    const details = { screenshots: approved, ...(pending > 0 && { pending }) };
    await noteActivity(context, caller, "run.approved", review.runId, details);
  }
  return { runId: review.runId, ...result.counts, conclusion };
}

async function approvable(
  { em, run, screenshots }: ReviewTransaction,
  { actor }: Caller,
  isSelected: (screenshot: Screenshot) => boolean,
): Promise<Screenshot[]> {
  const found = screenshots.filter(isSelected);
  if (actor.kind !== "service") return found;
  const rejected = await findRejected(em, run, found);
  return found.filter(screenshot => !rejected.has(screenshot.id));
}

/** How many there are in all, what is said now among them. */
function reviewsOf(screenshots: Screenshot[]): number {
  return screenshots.reduce((sum, screenshot) => sum + screenshot.reviews, 0);
}

/** What the service approves by itself, such as a monitor's first look, needs nobody to second it. */
async function settingsFor(context: RunsContext, { actor, teamId }: Caller) {
  if (actor.kind === "service") return { requiredApprovals: 1, allowSelfApproval: true };
  return call(context.bus, "teams.settings", { teamId });
}

/**
 * Turns a run's screenshots down and takes back their approval, if they had one. As noise, which is to say as false
 * alarms, they count toward the flake score of their pages.
 * @throws ServiceError not_found, conflict, invalid_request
 */
export async function reject(
  context: RunsContext,
  caller: Caller,
  { reason, noise = false, ...review }: ReviewSelection & { reason: string; noise?: boolean },
): Promise<Rejected> {
  const isSelected = review.screenshots ? isApprovable : needsReview;
  const { result: rejected, conclusion } = await changeReviews(context, caller, review, async transaction => {
    const screenshots = transaction.screenshots.filter(
      screenshot => isSelected(screenshot) || screenshot.status === "failed",
    );
    if (screenshots.length === 0) throw nothingToReject(transaction.screenshots);
    const rejection = { verdict: "rejected", reason, dismisses: null, noise } as const;
    const reviews = await addReviews(transaction, screenshots, caller, rejection);
    for (const screenshot of screenshots) applyReviews(screenshot, reviews);
    await noteNoiseOfReviews(transaction.em, transaction.run, screenshots, reviews);
    await transaction.undoApprovals(screenshots.map(screenshot => screenshot.id));
    return screenshots.length;
  });
  const details = { screenshots: rejected, reason, ...(noise && { as: "noise" }) };
  await noteActivity(context, caller, "run.rejected", review.runId, details);
  return { runId: review.runId, rejected, conclusion };
}

function nothingToReject(screenshots: Screenshot[]): ServiceError {
  const message = screenshots.some(isMinorChange) ? REVIEW_ERRORS.onlyMinor : REVIEW_ERRORS.nothingChanged;
  return new ServiceError("conflict", message);
}

/**
 * Writes down what the caller says of these screenshots; nothing where she says it already.
 * @returns all their reviews, these too @throws ServiceError conflict where one has been reviewed too often
 */
export async function addReviews(
  { em, run }: ReviewTransaction,
  screenshots: Screenshot[],
  caller: Caller,
  { verdict, reason, dismisses, noise = false }: NewReview,
): Promise<Map<string, Review[]>> {
  const reviewed = screenshots.filter(screenshot => screenshot.reviews > 0);
  const reviews = await findReviews(
    em,
    reviewed.map(screenshot => screenshot.id),
  );
  const review = { verdict, reason, dismisses, noise, countsAs: countsAs(caller), by: caller.actor };
  const isRecorded = ({ id }: Screenshot) =>
    countingReviews(reviews.get(id) ?? []).some(
      other =>
        other.countsAs === review.countsAs &&
        other.verdict === verdict &&
        other.reason === reason &&
        other.noise === noise,
    );
  const fresh = screenshots.filter(screenshot => !isRecorded(screenshot));
  // What stands can always be dismissed, and once.
  const full = verdict !== "dismissed" && fresh.find(screenshot => screenshot.reviews >= MAX_REVIEWS);
  if (full) {
    const message = REVIEW_ERRORS.tooManyReviews(full.id, MAX_REVIEWS);
    throw new ServiceError("conflict", message);
  }
  await insertReviews(em, run, fresh, review);
  for (const screenshot of fresh) {
    screenshot.reviews += 1;
    const { id: screenshotId } = screenshot;
    reviews.set(screenshotId, [
      ...(reviews.get(screenshotId) ?? []),
      { ...review, screenshotId, at: new Date() },
    ]);
  }
  return reviews;
}

/** Has a screenshot be what its reviews come to. */
export function applyReviews(screenshot: Screenshot, reviews: Map<string, Review[]>): void {
  const { id, requiredApprovals, carriedRunId } = screenshot;
  const state = reviewState(reviews.get(id) ?? [], requiredApprovals ?? 1, carriedRunId !== null);
  Object.assign(screenshot, reviewOf(state));
}

/** Makes those that are approved the baselines of the run's scope, or the latest ones again. */
export async function makeBaselines(
  { em, run }: ReviewTransaction,
  screenshots: Screenshot[],
  reviews: Map<string, Review[]>,
  caller: Caller,
): Promise<void> {
  const approved = screenshots.filter(screenshot => screenshot.review === "approved");
  await insertBaselines(
    em,
    approved.map(screenshot => baselineOf(run, screenshot, reviews.get(screenshot.id) ?? [], caller)),
  );
}

function tally(screenshots: Screenshot[]): Omit<Approved, "runId" | "conclusion"> {
  const count = (state: Screenshot["review"]) =>
    screenshots.filter(screenshot => screenshot.review === state).length;
  return { approved: count("approved"), pending: count("pending"), rejected: count("rejected") };
}

/** @throws ServiceError forbidden, with who else may; not_found */
async function refuseSubmitter(context: RunsContext, caller: Caller, runId: string): Promise<void> {
  const run = await runOf(context, caller, runId);
  if ((run.createdAs ?? run.createdBy) !== countsAs(caller)) return;
  const { teamId } = caller;
  const others = await call(context.bus, "teams.reviewers", { teamId, except: countsAs(caller) });
  throw new ServiceError("forbidden", REVIEW_ERRORS.ownRun(others));
}

function baselineOf(run: Run, screenshot: Screenshot, reviews: Review[], caller: Caller): Baseline {
  const isRemoved = screenshot.status === "removed";
  const approvals = countingReviews(reviews).filter(review => review.verdict === "approved");
  return {
    id: newId("base"),
    projectId: run.projectId,
    scope: run.scope,
    route: screenshot.route,
    viewport: screenshot.viewport,
    hash: isRemoved ? null : screenshot.hash,
    width: isRemoved ? null : screenshot.width,
    height: isRemoved ? null : screenshot.height,
    browser: isRemoved ? null : screenshot.browser,
    rendering: isRemoved ? null : screenshot.rendering,
    runId: run.id,
    sha: commitOf(run.scm),
    screenshotId: screenshot.id,
    fingerprint: screenshot.fingerprint,
    originRunId: screenshot.carriedRunId,
    originScreenshotId: screenshot.carriedScreenshotId,
    approvers: screenshot.carriedBy ?? approvals.map(review => review.by.name),
    approvedBy: caller.actor.id,
    approvedAt: screenshot.carriedAt ?? new Date(),
  };
}
