import { randomBytes } from "node:crypto";
import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { type WithQueue, workQueue } from "../../mixins/work-queue.ts";
import { endsWithin, SingleFlight } from "../../shared/async.ts";
import { METRICS, registerMetrics } from "../../shared/broker/metrics/metric-catalogue.ts";
import { listJobRenderers } from "../../shared/broker/renderers.ts";
import { tracerOf } from "../../shared/broker/tracing.ts";
import { addressPolicy } from "../../shared/capture/network/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import { action, callerAction, NO_RETRY, on, onBehalf, service } from "../../shared/contracts/bus.ts";
import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import { Links } from "../../shared/links/links.ts";
import { startPeriodicTask, startPeriodicTasks } from "../../shared/periodic-task.ts";
import { currentScope } from "../../shared/tracing/work-scope.ts";
import { BaselineEntity } from "./baselines/baseline.entity.ts";
import { carryApprovals } from "./baselines/carry-approvals.ts";
import { FullTeams } from "./capsules/full-teams.ts";
import { BatchWriter } from "./capture/batch-writer.ts";
import { EndedRuns } from "./capture/ended-runs.ts";
import { JobTokens, verifyResult } from "./capture/job-tokens.ts";
import { recordBatch, type ScopedResult } from "./capture/record-results.ts";
import { recoverLostJobs } from "./capture/recover-lost-jobs.ts";
import { RenderingFleet } from "./capture/rendering-fleet.ts";
import { RecentComparisons } from "./comparisons/recent-comparisons.ts";
import { checkOptions } from "./configuration/check-options.ts";
import { findOrCreateLinkKey } from "./links/link.store.ts";
import { readLinkRules } from "./links/read-link-rules.ts";
import { revokeLinks } from "./links/revoke-links.ts";
import { migrations } from "./migrations/index.ts";
import { forgetFormerReviewers } from "./people/forget-reviewers.ts";
import { peopleActions } from "./people-actions.ts";
import { periodicTasks } from "./periodic-tasks.ts";
import { ProjectEntity } from "./project.entity.ts";
import { projectActions } from "./project-actions.ts";
import { readFleet } from "./queries/read-fleet.ts";
import { readOutcomes } from "./queries/read-outcomes.ts";
import { getRun, listRuns, listScreenshots, readReport } from "./queries/read-runs.ts";
import { findRendered } from "./queries/run-list.store.ts";
import { deleteBaselines, deleteTeamData } from "./retention/delete-team-data.ts";
import { dismiss } from "./reviews/dismiss-reviews.ts";
import { approve, reject } from "./reviews/review-screenshots.ts";
import { RunEntity } from "./run.entity.ts";
import { PendingEvents, type RunsContext } from "./runs-context.ts";
import { ScreenshotEntity } from "./screenshot.entity.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { recordStories } from "./stories/record-stories.ts";
import { cancelRun } from "./submission/cancel-run.ts";
import { rerunRun } from "./submission/rerun-run.ts";
import { submitRun } from "./submission/submit-run.ts";
import { LOG_MESSAGES } from "./texts/log.ts";
import { transferActions } from "./transfers/transfer-actions.ts";
import { transferTask } from "./transfers/transfer-task.ts";
import type { TransfersContext } from "./transfers/transfers-context.ts";
import { submitTrial } from "./trials/submit-trial.ts";
import { uploadActions } from "./upload-actions.ts";

/** Longer than a renderer takes to restart. */
const RENDERER_GRACE_MS = 20_000;
/** How long a check waits for a renderer of a region: longer than a node takes to restart. */
const REGION_GRACE_MS = 2 * 60_000;
/** Maximum batch of results. Each waits for the statement that writes them all. */
const RESULT_CONCURRENCY = 64;
/** With backoff, this covers most of an hour without a database. The recovery sweep renders later results again. */
const RESULT_ATTEMPTS = 100;

/** The time that a stopping node leaves listeners. */
const FLUSH_TIMEOUT_MS = 6_000;

interface Runs extends Service, WithDatabase, WithImages, WithQueue {
  context: RunsContext;
  transfers: TransfersContext;
  linkKey: string;
  pendingEvents: PendingEvents;
  stopTasks?: () => Promise<void>;
  startedAt: Date;
}

const entities = [ProjectEntity, RunEntity, ScreenshotEntity, BaselineEntity];

export default service<Runs>({
  name: "runs",
  mixins: [
    database({ schema: "runs", entities, migrations, sealed: sealedColumns }),
    imageStore({ writes: true }),
    workQueue(),
  ],
  actions: {
    ...uploadActions,
    ...projectActions,
    ...peopleActions,
    ...transferActions,
    submit: callerAction("runs.submit", submitRun),
    submitTrial: callerAction("runs.submitTrial", submitTrial),
    get: callerAction("runs.get", (context, caller, { id }) => getRun(context, caller, id)),
    list: callerAction("runs.list", (context, caller, { query }) => listRuns(context, caller, query)),
    rerun: callerAction("runs.rerun", rerunRun, NO_RETRY),
    cancel: callerAction("runs.cancel", (context, caller, { id }) => cancelRun(context, caller, id)),
    screenshots: callerAction("runs.screenshots", (context, caller, { runId, query }) =>
      listScreenshots(context, caller, runId, query),
    ),
    report: action("runs.report", function (this: Runs, params, context) {
      return readReport(this.context, context.meta.caller, params);
    }),
    // Not retried: it would override a decision that another reviewer made in between.
    approve: callerAction("runs.approve", approve, NO_RETRY),
    reject: callerAction("runs.reject", reject, NO_RETRY),
    dismiss: callerAction("runs.dismiss", dismiss, NO_RETRY),
    carryApprovals: callerAction("runs.carryApprovals", carryApprovals),
    checkOptions: action("runs.checkOptions", async function (this: Runs, { teamId, project, options }) {
      await checkOptions(this.em(), { teamId, project }, options);
      return null;
    }),
    linkKey: action("runs.linkKey", async function (this: Runs) {
      return this.linkKey;
    }),
    linkRules: action("runs.linkRules", function (this: Runs, { teamId, runId }) {
      return readLinkRules(this.context, teamId, runId);
    }),
    revokeLinks: callerAction("runs.revokeLinks", (context, caller, { id }) =>
      revokeLinks(context, caller, id),
    ),
    rendered: action("runs.rendered", function (this: Runs, { ids }) {
      return findRendered(this.em(), ids);
    }),
    outcomes: action("runs.outcomes", function (this: Runs, { ids }) {
      return readOutcomes(this.context, ids);
    }),
    deleteBaselines: action("runs.deleteBaselines", async function (this: Runs, { teamId, project }) {
      await deleteBaselines(this.context, teamId, project);
      return null;
    }),
    fleet: action("runs.fleet", function (this: Runs) {
      return readFleet(this.context);
    }),
  },
  events: {
    // Before the node is on the bus, events about ended runs would reach no listener.
    "$broker.started": {
      async handler(this: Runs) {
        const batchWriter = new BatchWriter<ScopedResult>(batch => recordBatch(this.context, batch));
        this.queue.consume("result", {
          concurrency: RESULT_CONCURRENCY,
          maxAttempts: RESULT_ATTEMPTS,
          handle: async job => {
            const result = verifyResult(this.context, job);
            if (result?.kind === "listed") await recordStories(this.context, result);
            else if (result) await batchWriter.add({ result, scope: currentScope() ?? {} });
          },
          fail: async ({ runId }, error) => this.context.warn(error, LOG_MESSAGES.resultNotStored(runId)),
        });
        await recoverLostJobs(this.context, this.startedAt);
      },
    },
    "run.progressed": on("run.progressed", function (this: Runs, { id }) {
      this.context.ended.delete(id);
    }),
    "access.changed": on("access.changed", function (this: Runs, { ids }) {
      // The links of these runs were revoked.
      for (const id of ids) if (id.startsWith("run_")) this.context.ended.delete(id);
      const people = ids.filter(id => id.startsWith("user_") || id.startsWith("team_"));
      if (people.length === 0) return;
      forgetFormerReviewers(this.context, people).catch(error =>
        this.context.warn(error, LOG_MESSAGES.reviewersNotForgotten),
      );
    }),
    "team.gone": on("team.gone", async function (this: Runs, { teamId }) {
      await deleteGoneTeams(this.broker, [teamId], id => deleteTeamData(this.context, id));
    }),
  },
  created() {
    this.pendingEvents = new PendingEvents();
  },
  async started() {
    const config = configOf(this.broker);
    registerMetrics(this.broker.metrics, [METRICS.runsEnded]);
    this.linkKey = await findOrCreateLinkKey(this.em(), randomBytes(32).toString("base64url"));
    const links = new Links(config.baseUrl, this.linkKey);
    const policy = addressPolicy(config.allowHosts, config.denyNetworks);
    this.context = {
      em: () => this.em(),
      queue: this.queue,
      tracer: tracerOf(this.broker),
      ended: new EndedRuns(),
      rendering: new Set(),
      dispatches: new SingleFlight(),
      publishing: new SingleFlight(),
      comparisons: new RecentComparisons(),
      fullTeams: new FullTeams(),
      held: new Map(),
      fleet: new RenderingFleet({
        renderers: () => listJobRenderers(this.broker),
        // A single node doesn't come back with the same browser.
        graceMs: this.queue.durable ? RENDERER_GRACE_MS : 0,
        regionGraceMs: this.queue.durable ? REGION_GRACE_MS : 0,
        warn: message => this.logger.warn(message),
      }),
      warn: (error, what) => this.logger.warn({ err: error }, what),
      inform: what => this.logger.info(what),
      countEnded: outcome => this.broker.metrics.increment(METRICS.runsEnded.name, { outcome }),
      bus: this.broker,
      pendingEvents: this.pendingEvents,
      links,
      tokens: new JobTokens(this.linkKey),
      policy,
      images: this.images,
      archiveFiles: this.archiveFiles,
      archiveTeamBytes: config.archiveTeamBytes,
      directUploads: config.directUploads ? (this.images.uploads ?? null) : null,
      codeHostUrl: config.scm.app === null ? null : config.scm.webUrl,
      buildTimeoutMinutes: config.buildTimeoutMinutes,
    };
    this.startedAt = new Date();
    this.transfers = {
      ...{ em: this.context.em, bus: this.broker, archiveFiles: this.archiveFiles, warn: this.context.warn },
      as: caller => onBehalf(this.broker, caller),
      baseUrl: config.baseUrl,
      wake: () => transfers.wake(),
    };
    const transfers = startPeriodicTask(transferTask(this.transfers), this.context.warn);
    const tasks = periodicTasks(this.context, (done, what) => this.logger.info(done, what));
    const stopTasks = startPeriodicTasks(tasks, this.context.warn);
    this.stopTasks = async () => void (await Promise.all([stopTasks(), transfers.stop()]));
  },
  async stopped() {
    await Promise.all([this.stopTasks?.(), this.queue.stop()]);
    // Listeners on this node may request the run, so the database stays open until they are done.
    await endsWithin(this.pendingEvents.flush(), FLUSH_TIMEOUT_MS);
  },
});
