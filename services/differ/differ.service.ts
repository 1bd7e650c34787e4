import { availableParallelism } from "node:os";
import type { Service } from "moleculer";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { type WithQueue, workQueue } from "../../mixins/work-queue.ts";
import { METRICS, registerMetrics } from "../../shared/broker/metrics/metric-catalogue.ts";
import { ComparePool } from "../../shared/compare/compare-pool.ts";
import { action, on, service } from "../../shared/contracts/bus.ts";
import type { ResultJob } from "../../shared/contracts/runs/jobs.ts";
import { enqueueResult } from "../../shared/contracts/work-queue.ts";
import { compareNow, comparePair, comparisonFailed, type DifferContext } from "./compare-pair.ts";
import { COMPARE_ERRORS, LOG_MESSAGES } from "./texts.ts";

/**
 * Attempts on a single machine, where a full disk is not waited for. In a fleet, also nodes that stop during
 * a job.
 */
const MAX_ATTEMPTS = 6;
/** With backoff, this outlasts an image store that is unreachable for four minutes. */
const MAX_ERRORS = 14;

interface Differ extends Service, WithQueue, WithImages {
  pool: ComparePool;
}

export default service<Differ>({
  name: "differ",
  mixins: [imageStore({ writes: true }), workQueue()],
  actions: {
    compare: action("differ.compare", function (this: Differ, pair) {
      return compareNow(this, pair);
    }),
  },
  events: {
    "run.canceled": on("run.canceled", function (this: Differ, { runId }) {
      this.queue.abort(runId);
    }),
  },
  async started() {
    const threads = availableParallelism();
    this.pool = new ComparePool({ threads });
    const { metrics } = this.broker;
    registerMetrics(metrics, [METRICS.compareSeconds]);
    const report = (result: ResultJob) => enqueueResult(this.queue, result);
    const warn: DifferContext["warn"] = (err, message) => this.logger.warn({ err }, message);
    const context: DifferContext = { pool: this.pool, images: this.images, warn, report };
    this.queue.consume("compare", {
      concurrency: threads,
      maxAttempts: MAX_ATTEMPTS,
      maxErrors: MAX_ERRORS,
      handle: async (job, signal) => {
        const startedAt = performance.now();
        await comparePair(context, job, signal);
        metrics.observe(METRICS.compareSeconds.name, (performance.now() - startedAt) / 1_000);
        this.logger.info({ runId: job.runId, screenshotId: job.screenshotId }, LOG_MESSAGES.compared);
      },
      fail: async (job, error) => {
        this.logger.error({ err: error, runId: job.runId }, LOG_MESSAGES.failed(job.runId));
        // The error's own message can name files of this machine, and reports are widely read.
        await report(comparisonFailed(job, COMPARE_ERRORS.internal));
      },
    });
  },
  async stopped() {
    await this.queue.stop();
    await this.pool?.close();
  },
});
