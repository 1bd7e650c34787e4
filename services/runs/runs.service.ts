import { randomBytes } from "node:crypto";
import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { type WithQueue, workQueue } from "../../mixins/work-queue.ts";
import { addressPolicy } from "../../shared/capture/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import { action, callerOf, on, service } from "../../shared/contracts/bus.ts";
import { Links } from "../../shared/links.ts";
import { BaselineEntity } from "./baseline.entity.ts";
import { cancelRun } from "./cancel-run.ts";
import { EndedRuns } from "./ended-runs.ts";
import { Inbox } from "./inbox.ts";
import { migrations } from "./migrations/index.ts";
import { ProjectEntity } from "./project.entity.ts";
import { getRun, listRuns, listScreenshots, readReport } from "./read-runs.ts";
import { type Result, recordResults } from "./record-results.ts";
import { approve, reject } from "./review-screenshots.ts";
import { RunEntity } from "./run.entity.ts";
import { findOrCreateLinkKey } from "./run.store.ts";
import type { RunsNode } from "./runs-node.ts";
import { ScreenshotEntity } from "./screenshot.entity.ts";
import { submitRun } from "./submit-run.ts";
import { sweep } from "./sweep.ts";

/** Often enough that a run whose messages got lost is not noticed, seldom enough to cost nothing. */
const SWEEP_EVERY_MS = 30_000;

interface Runs extends Service, WithDatabase, WithQueue {
  node: RunsNode;
  linkKey: string;
  inbox: Inbox<Result>;
  sweeper: NodeJS.Timeout;
  startedAt: Date;
}

const entities = [ProjectEntity, RunEntity, ScreenshotEntity, BaselineEntity];

export default service<Runs>({
  name: "runs",
  mixins: [database({ schema: "runs", entities, migrations }), workQueue()],
  actions: {
    submit: action("runs.submit", function (this: Runs, params, context) {
      return submitRun(this.node, callerOf(context), params);
    }),
    get: action("runs.get", function (this: Runs, { id }, context) {
      return getRun(this.node, callerOf(context), id);
    }),
    list: action("runs.list", function (this: Runs, { query }, context) {
      return listRuns(this.node, callerOf(context), query);
    }),
    cancel: action("runs.cancel", function (this: Runs, { id }, context) {
      return cancelRun(this.node, callerOf(context), id);
    }),
    screenshots: action("runs.screenshots", function (this: Runs, { runId, query }, context) {
      return listScreenshots(this.node, callerOf(context), runId, query);
    }),
    report: action("runs.report", function (this: Runs, params, context) {
      return readReport(this.node, context.meta.caller, params);
    }),
    approve: action("runs.approve", function (this: Runs, params, context) {
      return approve(this.node, callerOf(context), params);
    }),
    reject: action("runs.reject", function (this: Runs, params, context) {
      return reject(this.node, callerOf(context), params);
    }),
    linkKey: action("runs.linkKey", async function (this: Runs) {
      return this.linkKey;
    }),
  },
  events: {
    // Not before: until this service is on the bus, nobody hears what is told of the jobs that the sweep queues.
    "$broker.started": {
      async handler(this: Runs) {
        await sweep(this.node, this.startedAt);
      },
    },
    "run.progressed": on("run.progressed", function (this: Runs, { id }) {
      this.node.ended.forget(id);
    }),
    "capture.started": on("capture.started", function (this: Runs, payload) {
      return this.inbox.add({ kind: "started", ...payload });
    }),
    "screenshot.captured": on("screenshot.captured", function (this: Runs, payload) {
      return this.inbox.add({ kind: "captured", ...payload });
    }),
    "screenshot.compared": on("screenshot.compared", function (this: Runs, payload) {
      return this.inbox.add({ kind: "compared", ...payload });
    }),
    "screenshot.failed": on("screenshot.failed", function (this: Runs, payload) {
      return this.inbox.add({ kind: "failed", ...payload });
    }),
  },
  async started() {
    const config = configOf(this.broker);
    this.linkKey = await findOrCreateLinkKey(this.em(), randomBytes(32).toString("base64url"));
    const links = new Links(config.baseUrl, this.linkKey);
    const policy = addressPolicy(config.allowHosts);
    this.node = {
      em: () => this.em(),
      queue: this.queue,
      ended: new EndedRuns(),
      rendering: new Set(),
      bus: this.broker,
      links,
      policy,
    };
    // What cannot be written now is found again by the sweep.
    const unwritten = (error: unknown) => this.logger.error({ err: error }, "Results were not written");
    this.inbox = new Inbox(results => recordResults(this.node, results).catch(unwritten));
    this.startedAt = new Date();
    const unswept = (error: unknown) => this.logger.error({ err: error }, "The sweep failed");
    this.sweeper = setInterval(() => void sweep(this.node).catch(unswept), SWEEP_EVERY_MS);
  },
  async stopped() {
    clearInterval(this.sweeper);
    await this.queue.stop();
    await this.inbox?.drain();
  },
});
