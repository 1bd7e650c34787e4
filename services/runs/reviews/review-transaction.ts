import { type EntityManager, isDeadlock } from "../../../mixins/database.ts";
import { emit } from "../../../shared/contracts/bus.ts";
import type { Conclusion } from "../../../shared/contracts/runs/runs.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import type { Notify } from "../../../shared/contracts/teams/notices.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import {
  deleteBaselines,
  deleteCarriedBaselines,
  findCarriedTo,
  findRunsCarriedTo,
} from "../baselines/approval.store.ts";
import type { Baseline } from "../baselines/baseline.entity.ts";
import { publishProgress } from "../capture/advance-runs.ts";
import { concludeReview, NO_TALLY, type RunTally } from "../capture/conclude.rule.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertBaselineEvent, insertRunEvent } from "../events/run-events.ts";
import { runOf } from "../queries/read-runs.ts";
import type { Run } from "../run.entity.ts";
import { lockRun, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { REVIEW_ERRORS } from "../texts/reviews.ts";
import { findReviews } from "./review.store.ts";
import { reviewState } from "./review-state.rule.ts";
import { tallyReviews } from "./reviewable.rule.ts";

/** Two reviews need one retry. Of several simultaneous reviews, some need more. */
const MAX_ATTEMPTS = 4;

/** The data of a review, within its transaction. */
export interface ReviewTransaction {
  em: EntityManager;
  run: Run;
  /** The selected screenshots. */
  screenshots: Screenshot[];
  /** Undoes the approvals of these screenshots, including the places they were carried to. */
  undoApprovals(screenshotIds: string[]): Promise<void>;
  changes: BaselineChanges;
}

/** The baselines that a review adds and deletes. */
interface BaselineChanges {
  approved: Screenshot[];
  withdrawn: Baseline[];
}

interface Concluded {
  run: Run;
  tally: RunTally;
  conclusion: Conclusion;
}

/**
 * Changes the reviews of a completed run's screenshots, and updates its conclusion.
 * Reviews of the same run are serialized. Otherwise, two reviewers who decide half of it each would both see the other
 * half undecided.
 * @throws ServiceError not_found, conflict, invalid_request
 */
export async function changeReviews<T>(
  context: RunsContext,
  caller: Caller,
  { runId, screenshots: ids }: { runId: string; screenshots?: string[] },
  change: (transaction: ReviewTransaction) => Promise<T>,
): Promise<{ result: T; conclusion: Conclusion }> {
  await runOf(context, caller, runId);
  const { result, own, others } = await retryOnDeadlock(context, async em => {
    const run = await lockRun(em, runId);
    // The run was deleted in the meantime, at the end of its retention.
    if (!run) throw notFound("run", runId);
    if (run.kind !== "run") {
      const message = run.kind === "trial" ? REVIEW_ERRORS.trial : REVIEW_ERRORS.nullRerun;
      throw new ServiceError("conflict", message(runId));
    }
    if (run.status !== "completed") {
      throw new ServiceError("conflict", REVIEW_ERRORS.notCompleted(runId, run.status));
    }
    const screenshots = await findScreenshots(em, runId);
    const others: Concluded[] = [];
    const changes: BaselineChanges = { approved: [], withdrawn: [] };
    const undoApprovals = async (screenshotIds: string[]) => {
      others.push(...(await undoCarriedApprovals(em, screenshotIds, changes)));
    };
    const selected = selectScreenshots(screenshots, ids);
    const before = run.conclusion;
    const result = await change({ em, run, screenshots: selected, undoApprovals, changes });
    const own = await concludeAgain(em, run, screenshots);
    const notify = own.conclusion === before ? [] : peopleOfDecision(own, caller);
    for (const { run, tally } of [own, ...others])
      await insertRunEvent(em, context.links, "run.reviewed", run, tally, run === own.run ? notify : []);
    await insertBaselineEvents(em, run, changes);
    return { result, own, others };
  });
  publishSoon(context);
  for (const { run, tally } of [own, ...others]) {
    publishProgress(context, run, tally);
    context.pendingEvents.add(emit(context.bus, "run.reviewed", { runId: run.id, teamId: run.teamId }));
  }
  return { result, conclusion: own.conclusion };
}

/** Returns the people to notify of a decided run: its submitter, and the author of its pull request. */
function peopleOfDecision({ run, conclusion }: Concluded, caller: Caller): Notify[] {
  if (conclusion !== "approved" && conclusion !== "rejected") return [];
  const users = run.createdBy === run.createdAs ? [run.createdBy] : [];
  return [{ kind: "decision", users, login: run.scm?.author ?? null, except: countsAs(caller) }];
}

async function insertBaselineEvents(
  em: EntityManager,
  { id: runId, teamId, project, scope }: Run,
  { approved, withdrawn }: BaselineChanges,
): Promise<void> {
  const change = { teamId, project, runId };
  for (const [of, pages] of Map.groupBy(withdrawn, baseline => baseline.scope))
    await insertBaselineEvent(em, { ...change, scope: of, cause: "withdrawn", pages });
  await insertBaselineEvent(em, { ...change, scope, cause: "approved", pages: approved });
}

/**
 * Runs a transaction that changes approvals, and retries it after a deadlock. Two of them can lock approvals in
 * opposite orders, such as reviews of two runs that carried approvals to each other.
 */
export async function retryOnDeadlock<T>(
  context: RunsContext,
  change: (em: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.em().transactional(change);
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function selectScreenshots(screenshots: Screenshot[], ids: string[] | undefined): Screenshot[] {
  if (!ids) return screenshots;
  const byId = new Map(screenshots.map(screenshot => [screenshot.id, screenshot]));
  return ids.map((id, index) => {
    const screenshot = byId.get(id);
    if (!screenshot) throw invalidField(`screenshots[${index}]`, REVIEW_ERRORS.notInRun);
    return screenshot;
  });
}

/** Undoes approvals and their carried copies. @returns the other runs whose conclusion changed with them */
async function undoCarriedApprovals(
  em: EntityManager,
  screenshotIds: string[],
  { withdrawn }: BaselineChanges,
): Promise<Concluded[]> {
  // This comes first: a transaction that carries approvals holds them, and its copies are found below once it has
  // ended.
  withdrawn.push(...(await deleteBaselines(em, screenshotIds)));
  withdrawn.push(...(await deleteCarriedBaselines(em, screenshotIds)));
  const concluded: Concluded[] = [];
  for (const runId of await findRunsCarriedTo(em, screenshotIds)) {
    const run = await lockRun(em, runId);
    if (!run) continue;
    const carried = await findCarriedTo(em, runId, screenshotIds);
    const ids = carried.map(screenshot => screenshot.id);
    const reviews = await findReviews(em, ids);
    for (const screenshot of carried) {
      clearCarriedApproval(screenshot);
      const required = screenshot.requiredApprovals ?? 1;
      Object.assign(screenshot, reviewOf(reviewState(reviews.get(screenshot.id) ?? [], required, false)));
    }
    if (run.status === "completed")
      concluded.push(await concludeAgain(em, run, await findScreenshots(em, runId)));
  }
  return concluded;
}

/** Removes the carried approval of a screenshot. */
export function clearCarriedApproval(screenshot: Screenshot): void {
  screenshot.carriedRunId = null;
  screenshot.carriedScreenshotId = null;
  screenshot.carriedBy = null;
  screenshot.carriedAt = null;
}

/** Returns the fields that a screenshot stores of its review state. */
export function reviewOf({
  state,
  approvals,
}: ReturnType<typeof reviewState>): Pick<Screenshot, "review" | "approvals"> {
  return { review: state, approvals };
}

async function concludeAgain(em: EntityManager, run: Run, screenshots: Screenshot[]): Promise<Concluded> {
  await em.flush();
  const tally = (await tallyRuns(em, [run])).get(run.id) ?? NO_TALLY;
  const conclusion = concludeReview(tally, tallyReviews(screenshots));
  run.conclusion = conclusion;
  return { run, tally, conclusion };
}
