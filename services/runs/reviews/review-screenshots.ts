import { call } from "../../../shared/contracts/bus.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { Approved, Rejected } from "../../../shared/contracts/reviews/reviews.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { insertBaselines } from "../baselines/approval.store.ts";
import type { Baseline } from "../baselines/baseline.entity.ts";
import { commitOf } from "../baselines/scope.rule.ts";
import { noteNoiseOfReviews } from "../noise/note-noise.ts";
import { decidedDetails, noteActivity } from "../note-activity.ts";
import { findProjectOverrides } from "../projects/project-settings.store.ts";
import { runOf } from "../queries/read-runs.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { namesOfStory } from "../stories/removed-story.ts";
import { REVIEW_ERRORS } from "../texts/reviews.ts";
import { findRejected, findReviews, insertReviews, type Review } from "./review.store.ts";
import { countingReviews, reviewState } from "./review-state.rule.ts";
import {
  changeReviews,
  clearCarriedApproval,
  type ReviewTransaction,
  reviewOf,
} from "./review-transaction.ts";
import { isApprovable, isMinorChange, needsReview } from "./reviewable.rule.ts";

/** More than any team needs. Without a limit, repeated reviews could fill the disk. */
const MAX_REVIEWS = 30;

type NewReview = Pick<Review, "verdict" | "reason" | "dismisses"> & { noise?: boolean };

/** Selects screenshots of a run. */
interface ReviewSelection {
  runId: string;
  /** Screenshot ids. By default, all that need review. */
  screenshots?: string[];
}

/**
 * Approves a run's screenshots: the selected ones, or all that need review, optionally with minor changes.
 * A screenshot becomes the baseline of the run's scope once enough reviewers approve it and none rejects it. The
 * service's own approvals don't override rejections.
 * @throws ServiceError not_found, conflict, invalid_request; forbidden for the run's submitter, if the team or the
 *   project disallows self-approval
 */
export async function approve(
  context: RunsContext,
  caller: Caller,
  review: ReviewSelection & { includeMinor?: boolean; note?: string },
): Promise<Approved> {
  const { requiredApprovals, allowSelfApproval } = await settingsFor(context, caller, review.runId);
  if (!allowSelfApproval) await refuseSubmitter(context, caller, review.runId);
  const { result, conclusion } = await changeReviews(context, caller, review, async transaction => {
    const isSelected = review.screenshots || review.includeMinor ? isApprovable : needsReview;
    const screenshots = await approvable(transaction, caller, isSelected);
    const before = reviewsOf(screenshots);
    const reviews = await addReviews(transaction, screenshots, caller, {
      verdict: "approved",
      reason: review.note ?? null,
      dismisses: null,
    });
    for (const screenshot of screenshots) {
      const isCarried = screenshot.carriedRunId !== null;
      // A decided screenshot keeps its requirement, even if the setting has changed.
      if (screenshot.review !== "approved" || isCarried) screenshot.requiredApprovals = requiredApprovals;
      applyReviews(screenshot, reviews);
      if (screenshot.approvals >= requiredApprovals) clearCarriedApproval(screenshot);
    }
    await makeBaselines(transaction, screenshots, reviews, caller);
    await noteNoiseOfReviews(transaction.em, transaction.run, screenshots, reviews);
    const decided = decidedDetails(transaction.run.project, screenshots);
    return { counts: tally(screenshots), isFresh: reviewsOf(screenshots) > before, decided };
  });
  const { approved, pending } = result.counts;
  if (result.isFresh) {
    const details = { screenshots: approved, ...result.decided, ...(pending > 0 && { pending }) };
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

/** Returns the number of reviews, including new ones. */
function reviewsOf(screenshots: Screenshot[]): number {
  return screenshots.reduce((sum, screenshot) => sum + screenshot.reviews, 0);
}

/** Returns the settings of a run's project. The service's own approvals, such as a monitor's first baselines, don't need a second approval. */
async function settingsFor(context: RunsContext, caller: Caller, runId: string) {
  const { actor, teamId } = caller;
  if (actor.kind === "service") return { requiredApprovals: 1, allowSelfApproval: true };
  const { project } = await runOf(context, caller, runId);
  const ofTeam = await call(context.bus, "teams.settings", { teamId });
  const ofProject = await findProjectOverrides(context.em(), teamId, project);
  return {
    requiredApprovals: ofProject.requiredApprovals ?? ofTeam.requiredApprovals,
    allowSelfApproval: ofProject.allowSelfApproval ?? ofTeam.allowSelfApproval,
  };
}

/**
 * Rejects a run's screenshots and undoes their approvals. Rejections as noise, that is, as false alarms, count toward
 * the flake scores of their pages.
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
    return { size: screenshots.length, details: decidedDetails(transaction.run.project, screenshots) };
  });
  const details = { screenshots: rejected.size, ...rejected.details, reason, ...(noise && { as: "noise" }) };
  await noteActivity(context, caller, "run.rejected", review.runId, details);
  return { runId: review.runId, rejected: rejected.size, conclusion };
}

function nothingToReject(screenshots: Screenshot[]): ServiceError {
  const message = screenshots.some(isMinorChange) ? REVIEW_ERRORS.onlyMinor : REVIEW_ERRORS.nothingChanged;
  return new ServiceError("conflict", message);
}

/**
 * Records the caller's review of these screenshots. Skips screenshots that already have the same review by this caller.
 * @returns all reviews of the screenshots, including the new ones @throws ServiceError conflict if one has too many
 *   reviews
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
  // Dismissals are always possible, since each review can be dismissed only once.
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

/** Sets a screenshot's state from its reviews. */
export function applyReviews(screenshot: Screenshot, reviews: Map<string, Review[]>): void {
  const { id, requiredApprovals, carriedRunId } = screenshot;
  const state = reviewState(reviews.get(id) ?? [], requiredApprovals ?? 1, carriedRunId !== null);
  Object.assign(screenshot, reviewOf(state));
}

/** Makes approved screenshots the current baselines of the run's scope. */
export async function makeBaselines(
  { em, run, changes }: ReviewTransaction,
  screenshots: Screenshot[],
  reviews: Map<string, Review[]>,
  caller: Caller,
): Promise<void> {
  const approved = screenshots.filter(screenshot => screenshot.review === "approved");
  changes.approved.push(...approved);
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

/** Throws if the caller submitted the run. @throws ServiceError forbidden, with the other reviewers; not_found */
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
    ...pickPage(screenshot),
    story: namesOfStory(screenshot),
    hash: isRemoved ? null : screenshot.hash,
    width: isRemoved ? null : screenshot.width,
    height: isRemoved ? null : screenshot.height,
    browser: isRemoved ? null : screenshot.browser,
    rendering: isRemoved ? null : screenshot.rendering,
    selectorRegions: isRemoved ? null : screenshot.selectorRegions,
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
