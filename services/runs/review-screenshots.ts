import type { EntityManager } from "../../mixins/database.ts";
import { emit } from "../../shared/contracts/bus.ts";
import type { Caller } from "../../shared/contracts/caller.ts";
import type { Approved, Rejected } from "../../shared/contracts/http.ts";
import { invalidField, notFound, ServiceError } from "../../shared/errors.ts";
import { newId } from "../../shared/ids.ts";
import { tellProgress } from "./advance-runs.ts";
import type { Baseline } from "./baseline.entity.ts";
import { deleteBaselines, insertBaselines } from "./baseline.store.ts";
import { concludeReview } from "./conclude.ts";
import { noteActivity } from "./note-activity.ts";
import { runOf } from "./read-runs.ts";
import type { Run } from "./run.entity.ts";
import { lockRun, tallyRuns } from "./run.store.ts";
import { NO_TALLY } from "./run-tally.ts";
import type { RunsNode } from "./runs-node.ts";
import type { Screenshot } from "./screenshot.entity.ts";
import { findScreenshots } from "./screenshot.store.ts";

/** Statuses that a reviewer decides on; a page that failed has no pixels to approve. */
const APPROVABLE = new Set(["changed", "new", "removed"]);
const REJECTABLE = new Set([...APPROVABLE, "failed"]);

/** Makes a run's screenshots, all or those named, the baselines of its scope. @throws ServiceError not_found, conflict, invalid_request */
export async function approve(
  node: RunsNode,
  caller: Caller,
  { runId, screenshots: ids }: { runId: string; screenshots?: string[] },
): Promise<Approved> {
  const { decided, conclusion } = await review(node, caller, runId, ids, async (em, run, screenshots) => {
    const approvable = screenshots.filter(screenshot => APPROVABLE.has(screenshot.status));
    decide(approvable, caller, "approved", null);
    await insertBaselines(
      em,
      approvable.map(screenshot => baselineOf(run, screenshot, caller)),
    );
    return approvable.length;
  });
  if (decided > 0) await noteActivity(node, caller, "run.approved", runId, { screenshots: decided });
  return { runId, approved: decided, conclusion };
}

/** Turns a run's screenshots down and takes back their approval, if they had one. @throws ServiceError not_found, conflict, invalid_request */
export async function reject(
  node: RunsNode,
  caller: Caller,
  { runId, screenshots: ids, reason }: { runId: string; screenshots?: string[]; reason: string },
): Promise<Rejected> {
  const { decided, conclusion } = await review(node, caller, runId, ids, async (em, _run, screenshots) => {
    const rejectable = screenshots.filter(screenshot => REJECTABLE.has(screenshot.status));
    if (rejectable.length === 0)
      throw new ServiceError("conflict", "Nothing changed here, so there is nothing to reject.");
    decide(rejectable, caller, "rejected", reason);
    await deleteBaselines(
      em,
      rejectable.map(screenshot => screenshot.id),
    );
    return rejectable.length;
  });
  await noteActivity(node, caller, "run.rejected", runId, { screenshots: decided, reason });
  return { runId, rejected: decided, conclusion };
}

type Decide = (em: EntityManager, run: Run, screenshots: Screenshot[]) => Promise<number>;

/** One review at a time for each run: two reviewers who decide on halves must not both see the other half undecided. */
async function review(
  node: RunsNode,
  caller: Caller,
  runId: string,
  ids: string[] | undefined,
  decideOn: Decide,
) {
  await runOf(node, caller, runId);
  const result = await node.em().transactional(async em => {
    const run = await lockRun(em, runId);
    // Deleted since it was looked for: its time was over.
    if (!run) throw notFound("run", runId);
    if (run.status !== "completed") {
      throw new ServiceError("conflict", `${runId} is ${run.status}; only a completed run can be reviewed.`);
    }
    const screenshots = await findScreenshots(em, runId);
    const decided = await decideOn(em, run, named(screenshots, ids));
    await em.flush();
    const tally = (await tallyRuns(em, [run])).get(runId) ?? NO_TALLY;
    const conclusion = concludeReview(run.conclusion, tally, reviewsOf(screenshots));
    run.conclusion = conclusion;
    return { decided, run, tally, conclusion };
  });
  await tellProgress(node, result.run, result.tally);
  await emit(node.bus, "run.reviewed", { runId, teamId: result.run.teamId });
  return { decided: result.decided, conclusion: result.conclusion };
}

function named(screenshots: Screenshot[], ids: string[] | undefined): Screenshot[] {
  if (!ids) return screenshots;
  const byId = new Map(screenshots.map(screenshot => [screenshot.id, screenshot]));
  return ids.map((id, index) => {
    const screenshot = byId.get(id);
    if (!screenshot) throw invalidField(`screenshots[${index}]`, "is not a screenshot of this run");
    return screenshot;
  });
}

function decide(
  screenshots: Screenshot[],
  caller: Caller,
  verdict: "approved" | "rejected",
  reason: string | null,
): void {
  for (const screenshot of screenshots) {
    screenshot.review = verdict;
    screenshot.reviewReason = reason;
    screenshot.reviewedBy = caller.actor.id;
    screenshot.reviewedAt = new Date();
  }
}

function reviewsOf(screenshots: Screenshot[]) {
  const inQuestion = screenshots.filter(
    screenshot => APPROVABLE.has(screenshot.status) || screenshot.review !== null,
  );
  const count = (verdict: Screenshot["review"]) =>
    inQuestion.filter(screenshot => screenshot.review === verdict).length;
  return { undecided: count(null), approved: count("approved"), rejected: count("rejected") };
}

function baselineOf(run: Run, screenshot: Screenshot, caller: Caller): Baseline {
  const gone = screenshot.status === "removed";
  return {
    id: newId("base"),
    projectId: run.projectId,
    scope: run.scope,
    route: screenshot.route,
    viewport: screenshot.viewport,
    hash: gone ? null : screenshot.hash,
    width: gone ? null : screenshot.width,
    height: gone ? null : screenshot.height,
    browser: gone ? null : screenshot.browser,
    runId: run.id,
    screenshotId: screenshot.id,
    approvedBy: caller.actor.id,
    approvedAt: new Date(),
  };
}
