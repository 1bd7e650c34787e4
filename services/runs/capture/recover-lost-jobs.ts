import { forEachConcurrently, forEachIsolated } from "../../../shared/async.ts";
import { findCapsulePairs } from "../capsules/capsule.store.ts";
import { findFinishedRuns, findRuns } from "../run.store.ts";
import { inRunScope } from "../run-scope.ts";
import type { RunsContext } from "../runs-context.ts";
import { recoverStories } from "../stories/request-stories.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import { advanceRuns } from "./advance-runs.ts";
import { captureJobId } from "./capture-job.ts";
import { dispatchCaptures } from "./dispatch-captures.ts";
import {
  dispatchLostComparisons,
  failRepeatedlyLost,
  findUnansweredScreenshots,
  releaseCaptures,
  type UnansweredScreenshot,
} from "./lost-job.store.ts";
import { enqueueComparison } from "./record-results.ts";

/** A screenshot whose job got lost this often crashes its renderers. */
const MAX_LOST_JOBS = 20;
const LOST_REASON = RUN_ERRORS.lostNodes(MAX_LOST_JOBS);

/** The screenshots of these runs are counted in one statement. */
const RUN_BATCH_SIZE = 50;

/**
 * Queues lost jobs again, ends runs that have all results, and queues waiting captures. The node that should have done it
 * may have stopped.
 * A job is lost if its row says queued and the queue doesn't have it.
 *
 * @param startedAt at the start with a queue in memory, which has no jobs from before
 */
export async function recoverLostJobs(context: RunsContext, startedAt: Date | null = null): Promise<void> {
  const before = context.queue.durable ? null : startedAt;
  const lost = await findLost(context, before);
  const parts = [
    () => recoverStories(context, before),
    () => recoverScreenshots(context, lost, before),
    () => endFinished(context),
    () => dispatchCaptures(context),
    // This is last because it waits for a server that is unreachable.
    () => context.queue.repair(),
  ];
  // What fails for one run must not keep the other parts from all teams.
  await forEachConcurrently(
    parts,
    1,
    recover => recover(),
    error => context.warn(error, LOG_MESSAGES.recoveryFailed),
  );
}

async function recoverScreenshots(
  context: RunsContext,
  lost: UnansweredScreenshot[],
  before: Date | null,
): Promise<void> {
  const ids = (captured: boolean) => lost.filter(row => row.captured === captured).map(row => row.id);
  const limit = { times: MAX_LOST_JOBS, reason: LOST_REASON };
  await releaseCaptures(context.em(), ids(false), before);
  await failRepeatedlyLost(context.em(), limit.times, limit.reason);
  const comparisons = await dispatchLostComparisons(context.em(), ids(true), before, limit);
  const capsules = await findCapsulePairs(
    context.em(),
    comparisons.map(({ id }) => id),
  );
  const runIds = [...new Set(comparisons.map(({ runId }) => runId))];
  const runs = new Map((await findRuns(context.em(), runIds)).map(run => [run.id, run]));
  await forEachIsolated(
    comparisons,
    async comparison => {
      const run = runs.get(comparison.runId);
      const enqueue = () => enqueueComparison(context, comparison, capsules.get(comparison.id));
      if (run) await inRunScope(context, run, enqueue);
    },
    (error, { runId }) => context.warn(error, LOG_MESSAGES.notQueued(runId)),
  );
}

async function endFinished(context: RunsContext): Promise<void> {
  const finished = await findFinishedRuns(context.em());
  for (let at = 0; at < finished.length; at += RUN_BATCH_SIZE) {
    await advanceRuns(context, finished.slice(at, at + RUN_BATCH_SIZE)).catch(error =>
      context.warn(error, LOG_MESSAGES.recoveryFailed),
    );
  }
}

async function findLost(context: RunsContext, before: Date | null): Promise<UnansweredScreenshot[]> {
  const unanswered = Map.groupBy(await findUnansweredScreenshots(context.em(), before), row => row.runId);
  const lost: UnansweredScreenshot[] = [];
  for (const [runId, rows] of unanswered) {
    const captures = await context.queue.idsOf("capture", runId);
    const comparisons = await context.queue.idsOf("compare", runId);
    // A result that isn't written yet may belong to these jobs. This check is last, because a job is done only after
    // its result is queued.
    if ((await context.queue.idsOf("result", runId)).size > 0) continue;
    lost.push(
      ...rows.filter(row => (row.captured ? !comparisons.has(row.id) : !captures.has(captureJobId(row)))),
    );
  }
  return lost;
}
