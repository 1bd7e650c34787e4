import { availableParallelism } from "node:os";
import type { Service } from "moleculer";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { type WithQueue, workQueue } from "../../mixins/work-queue.ts";
import { ComparePool } from "../../shared/compare/compare-pool.ts";
import { on, service } from "../../shared/contracts/bus.ts";
import type { ResultJob } from "../../shared/contracts/runs/jobs.ts";
import { enqueueResult } from "../../shared/contracts/work-queue.ts";
import { comparePair, comparisonFailed, type DifferNode } from "./compare-pair.ts";
import { COMPARE_ERRORS, LOG_MESSAGES } from "./texts.ts";

/** Of a single machine, whose full disk nobody waits for; in a fleet, nodes that may die with a job. */
const MAX_ATTEMPTS = 6;
/** With the waits between them this outlasts an image store that is away for four minutes. */
const MAX_ERRORS = 14;

interface Differ extends Service, WithQueue, WithImages {
  pool: ComparePool;
}

export default service<Differ>({
  name: "differ",
  mixins: [imageStore({ writes: true }), workQueue()],
  events: {
    "run.canceled": on("run.canceled", function (this: Differ, { runId }) {
      this.queue.abort(runId);
    }),
  },
  async started() {
    const threads = availableParallelism();
    this.pool = new ComparePool({ threads });
    const tell = (result: ResultJob) => enqueueResult(this.queue, result);
    const node: DifferNode = { pool: this.pool, images: this.images, tell };
    this.queue.consume("compare", {
      concurrency: threads,
      maxAttempts: MAX_ATTEMPTS,
      maxErrors: MAX_ERRORS,
      handle: async (job, signal) => {
        await comparePair(node, job, signal);
        this.logger.info({ runId: job.runId, screenshotId: job.screenshotId }, LOG_MESSAGES.compared);
      },
      fail: async (job, error) => {
        this.logger.error({ err: error, runId: job.runId }, LOG_MESSAGES.failed(job.runId));
        // Not the error's own words, which name files of this machine: a report is read by many.
        await tell(comparisonFailed(job, COMPARE_ERRORS.internal));
      },
    });
  },
  async stopped() {
    await this.queue.stop();
    await this.pool?.close();
  },
});
