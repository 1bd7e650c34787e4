import { randomUUID } from "node:crypto";
import type { ResultJob } from "./contracts/runs/jobs.ts";
import type { WorkQueue } from "./contracts/work-queue.ts";

/** Queues what became of a screenshot for the service that keeps it. @throws Error when the queue does not take it */
export function enqueueResult(queue: WorkQueue, result: ResultJob): Promise<void> {
  // Told twice it is a second result, which changes nothing: whoever records it re-reads.
  return queue.enqueue("result", result, { id: randomUUID(), fairKey: result.runId });
}
