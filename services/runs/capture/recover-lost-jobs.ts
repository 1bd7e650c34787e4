import { findRunsToEnd } from "../run.store.ts";
import type { RunsNode } from "../runs-context.ts";
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
export async function sweep(node: RunsNode, startedAt: Date | null = null): Promise<void> {
  const before = node.queue.durable ? null : startedAt;
  const lost = await findLost(node, before);
  const ids = (captured: boolean) => lost.filter(row => row.captured === captured).map(row => row.id);
  const limit = { times: LOST_AT_MOST, reason: LOST_REASON };
  await releaseCaptures(node.em(), ids(false), before);
  await failLostTooOften(node.em(), limit.times, limit.reason);
  for (const comparison of await claimLostComparisons(node.em(), ids(true), before, limit)) {
    await enqueueComparison(node, comparison);
  }
  const toEnd = await findRunsToEnd(node.em());
  for (let at = 0; at < toEnd.length; at += RUNS_AT_ONCE) {
    await advanceRuns(node, toEnd.slice(at, at + RUNS_AT_ONCE));
  }
  await dispatchCaptures(node);
  // Last: it waits for a server that is away.
  await node.queue.mend();
}

async function findLost(node: RunsNode, before: Date | null): Promise<Silent[]> {
  const silent = Map.groupBy(await findSilent(node.em(), before), row => row.runId);
  const lost: Silent[] = [];
  for (const [runId, rows] of silent) {
    const captures = await node.queue.idsOf("capture", runId);
    const comparisons = await node.queue.idsOf("compare", runId);
    // What was found and is not written yet may be theirs. Asked last: a job is done only when its result is queued.
    if ((await node.queue.idsOf("result", runId)).size > 0) continue;
    lost.push(
      ...rows.filter(row =>
        row.captured ? !comparisons.has(row.id) : !captures.has(captureJobId(row.route)),
      ),
    );
  }
  return lost;
}
