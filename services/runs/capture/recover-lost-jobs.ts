import { findRunsToEnd } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { RUN_ERRORS } from "../texts.ts";
import { advanceRuns } from "./advance-runs.ts";
import { captureJobId, dispatchCaptures } from "./dispatch-captures.ts";
import {
  claimLostComparisons,
  failLostTooOften,
  findSilent,
  releaseCaptures,
  type Silent,
} from "./job.store.ts";
import { enqueueComparison } from "./record-results.ts";

/** A screenshot whose job got lost this often takes down whoever renders it. */
const LOST_AT_MOST = 20;
const LOST_REASON = RUN_ERRORS.lostNodes(LOST_AT_MOST);

/** Their screenshots are counted in one statement. */
const RUNS_AT_ONCE = 50;

/**
 * Queues again what got lost, ends runs that have all their results, and queues what waits: whoever was to do that may be gone.
 * A job is lost when its row says that it was queued and the queue does not have it.
 *
 * @param startedAt at the start with a queue in memory, which has nothing of what was queued before
 */
export async function sweep(context: RunsContext, startedAt: Date | null = null): Promise<void> {
  const before = context.queue.durable ? null : startedAt;
  const lost = await findLost(context, before);
  const ids = (captured: boolean) => lost.filter(row => row.captured === captured).map(row => row.id);
  const limit = { times: LOST_AT_MOST, reason: LOST_REASON };
  await releaseCaptures(context.em(), ids(false), before);
  await failLostTooOften(context.em(), limit.times, limit.reason);
  for (const comparison of await claimLostComparisons(context.em(), ids(true), before, limit)) {
    await enqueueComparison(context, comparison);
  }
  const toEnd = await findRunsToEnd(context.em());
  for (let at = 0; at < toEnd.length; at += RUNS_AT_ONCE) {
    await advanceRuns(context, toEnd.slice(at, at + RUNS_AT_ONCE));
  }
  await dispatchCaptures(context);
  // Last: it waits for a server that is away.
  await context.queue.mend();
}

async function findLost(context: RunsContext, before: Date | null): Promise<Silent[]> {
  const silent = Map.groupBy(await findSilent(context.em(), before), row => row.runId);
  const lost: Silent[] = [];
  for (const [runId, rows] of silent) {
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
