import { advanceRuns } from "./advance-runs.ts";
import { enqueueComparison } from "./record-results.ts";
import { findUnfinishedRuns } from "./run.store.ts";
import type { RunsNode } from "./runs-node.ts";
import { claimLostComparisons, failLostTooOften, releaseLostCaptures } from "./screenshot.store.ts";

/** How long a job may be silent: a route of ten viewports at their bound of 90 s each, and then some. */
const LOST_AFTER_MS = 20 * 60_000;
/** A screenshot whose job got lost this often takes down whoever renders it. */
const LOST_AT_MOST = 20;
const LOST_REASON = `The node that rendered this page went away ${LOST_AT_MOST} times. The page may need more memory than a node has.`;

/** Their options are in memory together. */
const RUNS_AT_ONCE = 50;

/** Queues again what got lost: after a start with a queue in memory that is all that was queued before `startedAt`. */
export async function sweep(node: RunsNode, startedAt?: Date): Promise<void> {
  const lost = startedAt && !node.queue.durable ? startedAt : null;
  const before = lost ?? new Date(Date.now() - LOST_AFTER_MS);
  await releaseLostCaptures(node.em(), before);
  await failLostTooOften(node.em(), LOST_AT_MOST, LOST_REASON);
  for (const lost of await claimLostComparisons(node.em(), before, LOST_AT_MOST, LOST_REASON)) {
    await enqueueComparison(node, lost);
  }
  const unfinished = await findUnfinishedRuns(node.em());
  for (let at = 0; at < unfinished.length; at += RUNS_AT_ONCE) {
    await advanceRuns(node, unfinished.slice(at, at + RUNS_AT_ONCE));
  }
}
