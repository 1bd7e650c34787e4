import { findFinishedRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { RUN_ERRORS } from "../texts.ts";
import { advanceRuns } from "./advance-runs.ts";
import { captureJobId, dispatchCaptures } from "./dispatch-captures.ts";
import {
  dispatchLostComparisons,
  failRepeatedlyLost,
  findUnansweredScreenshots,
  releaseCaptures,
  type UnansweredScreenshot,
} from "./lost-job.store.ts";
import { enqueueComparison } from "./record-results.ts";

/** A screenshot whose job got lost this often takes down whoever renders it. */
const MAX_LOST_JOBS = 20;
const LOST_REASON = RUN_ERRORS.lostNodes(MAX_LOST_JOBS);

/** Their screenshots are counted in one statement. */
const RUN_BATCH_SIZE = 50;

/**
 * Queues again what got lost, ends runs that have all their results, and queues what waits: whoever was to do that may be gone.
 * A job is lost when its row says that it was queued and the queue does not have it.
 *
 * @param startedAt at the start with a queue in memory, which has nothing of what was queued before
 */
export async function recoverLostJobs(context: RunsContext, startedAt: Date | null = null): Promise<void> {
  const before = context.queue.durable ? null : startedAt;
  const lost = await findLost(context, before);
  const ids = (captured: boolean) => lost.filter(row => row.captured === captured).map(row => row.id);
  const limit = { times: MAX_LOST_JOBS, reason: LOST_REASON };
  await releaseCaptures(context.em(), ids(false), before);
  await failRepeatedlyLost(context.em(), limit.times, limit.reason);
  for (const comparison of await dispatchLostComparisons(context.em(), ids(true), before, limit)) {
    await enqueueComparison(context, comparison);
  }
  const finished = await findFinishedRuns(context.em());
  for (let at = 0; at < finished.length; at += RUN_BATCH_SIZE) {
    await advanceRuns(context, finished.slice(at, at + RUN_BATCH_SIZE));
  }
  await dispatchCaptures(context);
  // Last: it waits for a server that is away.
  await context.queue.repair();
}

async function findLost(context: RunsContext, before: Date | null): Promise<UnansweredScreenshot[]> {
  const unanswered = Map.groupBy(await findUnansweredScreenshots(context.em(), before), row => row.runId);
  const lost: UnansweredScreenshot[] = [];
  for (const [runId, rows] of unanswered) {
    const captures = await context.queue.idsOf("capture", runId);
    const comparisons = await context.queue.idsOf("compare", runId);
    // What was found and is not written yet may be theirs. Asked last: a job is done only when its result is queued.
    if ((await context.queue.idsOf("result", runId)).size > 0) continue;
    lost.push(
      ...rows.filter(row =>
        row.captured ? !comparisons.has(row.id) : !captures.has(captureJobId(row.route)),
      ),
    );
  }
  return lost;
}
