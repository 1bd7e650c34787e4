import { randomBytes } from "node:crypto";
import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { type WithQueue, workQueue } from "../../mixins/work-queue.ts";
import { SingleFlight, waitAtMost } from "../../shared/async.ts";
import { listRenderers } from "../../shared/broker/renderers.ts";
import { addressPolicy } from "../../shared/capture/network/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import { action, callerOf, NO_RETRY, on, service } from "../../shared/contracts/bus.ts";
import type { Result } from "../../shared/contracts/runs/jobs.ts";
import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import { Links } from "../../shared/links/links.ts";
import { startPeriodicTasks } from "../../shared/periodic-task.ts";
import { BaselineEntity } from "./baselines/baseline.entity.ts";
import { carryApprovals } from "./baselines/carry-approvals.ts";
import { restore } from "./baselines/restore-baseline.ts";
import { addShard } from "./builds/add-screenshots.ts";
import { getBuild } from "./builds/build-views.ts";
import { createBuild } from "./builds/create-build.ts";
import { finalizeBuild } from "./builds/finalize-build.ts";
import { findUpload, recordUpload } from "./builds/record-upload.ts";
import { BatchWriter } from "./capture/batch-writer.ts";
import { EndedRuns } from "./capture/ended-runs.ts";
import { JobTokens } from "./capture/job-tokens.ts";
import { recordResults, verifyResult } from "./capture/record-results.ts";
import { recoverLostJobs } from "./capture/recover-lost-jobs.ts";
import { RenderingFleet } from "./capture/rendering-fleet.ts";
import { checkOptions } from "./configuration/check-options.ts";
import { putConfiguration, readConfiguration } from "./configuration/manage-configuration.ts";
import { findOrCreateLinkKey } from "./links/link.store.ts";
import { readLinkRules } from "./links/read-link-rules.ts";
import { revokeLinks } from "./links/revoke-links.ts";
import { migrations } from "./migrations/index.ts";
import { acceptRegion, dismissRegion, removeIgnoreRegion } from "./noise/decide-region.ts";
import { listIgnoreRegions, readNoise } from "./noise/read-noise.ts";
import { periodicTasks } from "./periodic-tasks.ts";
import { ProjectEntity } from "./project.entity.ts";
import { readFleet } from "./queries/read-fleet.ts";
import {
  listBaselineHistory,
  listBaselines,
  listProjects,
  listScreenshotHistory,
} from "./queries/read-history.ts";
import { readOutcomes } from "./queries/read-outcomes.ts";
import { getRun, listRuns, listScreenshots, readReport } from "./queries/read-runs.ts";
import { deleteBaselines, deleteTeamData } from "./retention/delete-team-data.ts";
import { dismiss } from "./reviews/dismiss-reviews.ts";
import { approve, reject } from "./reviews/review-screenshots.ts";
import { RunEntity } from "./run.entity.ts";
import { findRendered } from "./run.store.ts";
import { PendingEvents, type RunsContext } from "./runs-context.ts";
import { ScreenshotEntity } from "./screenshot.entity.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { deleteSecret, listSecrets, putSecret } from "./secrets/manage-secrets.ts";
import { cancelRun } from "./submission/cancel-run.ts";
import { changeProject } from "./submission/change-project.ts";
import { submitRun } from "./submission/submit-run.ts";
import { LOG_MESSAGES } from "./texts.ts";
import { submitTrial } from "./trials/submit-trial.ts";

/** Longer than a renderer takes to restart. */
const RENDERER_GRACE_MS = 20_000;
/** Maximum batch of results. Each waits for the statement that writes them all. */
const RESULT_CONCURRENCY = 64;
/** With backoff, this covers most of an hour without a database. The recovery sweep renders later results again. */
const RESULT_ATTEMPTS = 100;

/** The time that a stopping node leaves listeners. */
const FLUSH_TIMEOUT_MS = 6_000;

interface Runs extends Service, WithDatabase, WithImages, WithQueue {
  context: RunsContext;
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
    submit: action("runs.submit", function (this: Runs, params, context) {
      return submitRun(this.context, callerOf(context), params);
    }),
    submitTrial: action("runs.submitTrial", function (this: Runs, params, context) {
      return submitTrial(this.context, callerOf(context), params);
    }),
    get: action("runs.get", function (this: Runs, { id }, context) {
      return getRun(this.context, callerOf(context), id);
    }),
    list: action("runs.list", function (this: Runs, { query }, context) {
      return listRuns(this.context, callerOf(context), query);
    }),
    createBuild: action("runs.createBuild", function (this: Runs, params, context) {
      return createBuild(this.context, callerOf(context), params);
    }),
    build: action("runs.build", function (this: Runs, { id }, context) {
      return getBuild(this.context, callerOf(context), id);
    }),
    addShard: action("runs.addShard", function (this: Runs, params, context) {
      return addShard(this.context, callerOf(context), params);
    }),
    finalizeBuild: action("runs.finalizeBuild", function (this: Runs, params, context) {
      return finalizeBuild(this.context, callerOf(context), params);
    }),
    findUpload: action("runs.findUpload", function (this: Runs, params, context) {
      return findUpload(this.context, callerOf(context), params);
    }),
    recordUpload: action("runs.recordUpload", function (this: Runs, params, context) {
      return recordUpload(this.context, callerOf(context), params);
    }),
    cancel: action("runs.cancel", function (this: Runs, { id }, context) {
      return cancelRun(this.context, callerOf(context), id);
    }),
    screenshots: action("runs.screenshots", function (this: Runs, { runId, query }, context) {
      return listScreenshots(this.context, callerOf(context), runId, query);
    }),
    report: action("runs.report", function (this: Runs, params, context) {
      return readReport(this.context, context.meta.caller, params);
    }),
    // Not retried: it would override a decision that another reviewer made in between.
    approve: action(
      "runs.approve",
      function (this: Runs, params, context) {
        return approve(this.context, callerOf(context), params);
      },
      NO_RETRY,
    ),
    reject: action(
      "runs.reject",
      function (this: Runs, params, context) {
        return reject(this.context, callerOf(context), params);
      },
      NO_RETRY,
    ),
    dismiss: action(
      "runs.dismiss",
      function (this: Runs, params, context) {
        return dismiss(this.context, callerOf(context), params);
      },
      NO_RETRY,
    ),
    carryApprovals: action("runs.carryApprovals", function (this: Runs, params, context) {
      return carryApprovals(this.context, callerOf(context), params);
    }),
    baselines: action("runs.baselines", function (this: Runs, { query }, context) {
      return listBaselines(this.context, callerOf(context), query);
    }),
    baselineHistory: action("runs.baselineHistory", function (this: Runs, { query }, context) {
      return listBaselineHistory(this.context, callerOf(context), query);
    }),
    screenshotHistory: action("runs.screenshotHistory", function (this: Runs, { query }, context) {
      return listScreenshotHistory(this.context, callerOf(context), query);
    }),
    projects: action("runs.projects", function (this: Runs, { query }, context) {
      return listProjects(this.context, callerOf(context), query);
    }),
    changeProject: action("runs.changeProject", function (this: Runs, { id, body }, context) {
      return changeProject(this.context, callerOf(context), id, body);
    }),
    restoreBaseline: action(
      "runs.restoreBaseline",
      function (this: Runs, { id }, context) {
        return restore(this.context, callerOf(context), id);
      },
      NO_RETRY,
    ),
    noise: action("runs.noise", function (this: Runs, { query }, context) {
      return readNoise(this.context, callerOf(context), query);
    }),
    ignoreRegions: action("runs.ignoreRegions", function (this: Runs, { query }, context) {
      return listIgnoreRegions(this.context, callerOf(context), query);
    }),
    acceptRegion: action("runs.acceptRegion", function (this: Runs, params, context) {
      return acceptRegion(this.context, callerOf(context), params);
    }),
    dismissRegion: action("runs.dismissRegion", function (this: Runs, params, context) {
      return dismissRegion(this.context, callerOf(context), params);
    }),
    removeRegion: action("runs.removeRegion", function (this: Runs, { id }, context) {
      return removeIgnoreRegion(this.context, callerOf(context), id);
    }),
    configuration: action("runs.configuration", function (this: Runs, { project }, context) {
      return readConfiguration(this.context, callerOf(context), project);
    }),
    // Not retried: a second attempt would find its own change.
    putConfiguration: action(
      "runs.putConfiguration",
      function (this: Runs, params, context) {
        return putConfiguration(this.context, callerOf(context), params);
      },
      NO_RETRY,
    ),
    putSecret: action("runs.putSecret", function (this: Runs, params, context) {
      return putSecret(this.context, callerOf(context), params);
    }),
    secrets: action("runs.secrets", function (this: Runs, { project }, context) {
      return listSecrets(this.context, callerOf(context), project);
    }),
    deleteSecret: action("runs.deleteSecret", function (this: Runs, params, context) {
      return deleteSecret(this.context, callerOf(context), params);
    }),
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
    revokeLinks: action("runs.revokeLinks", function (this: Runs, { id }, context) {
      return revokeLinks(this.context, callerOf(context), id);
    }),
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
        const batchWriter = new BatchWriter<Result>(results => recordResults(this.context, results));
        this.queue.consume("result", {
          concurrency: RESULT_CONCURRENCY,
          maxAttempts: RESULT_ATTEMPTS,
          handle: async job => {
            const result = verifyResult(this.context, job);
            if (result) await batchWriter.add(result);
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
    this.linkKey = await findOrCreateLinkKey(this.em(), randomBytes(32).toString("base64url"));
    const links = new Links(config.baseUrl, this.linkKey);
    const policy = addressPolicy(config.allowHosts, config.denyNetworks);
    this.context = {
      em: () => this.em(),
      queue: this.queue,
      ended: new EndedRuns(),
      rendering: new Set(),
      dispatches: new SingleFlight(),
      publishing: new SingleFlight(),
      held: new Map(),
      fleet: new RenderingFleet({
        renderers: () => listRenderers(this.broker),
        // A single node doesn't come back with the same browser.
        graceMs: this.queue.durable ? RENDERER_GRACE_MS : 0,
        warn: message => this.logger.warn(message),
      }),
      warn: (error, what) => this.logger.warn({ err: error }, what),
      inform: what => this.logger.info(what),
      bus: this.broker,
      pendingEvents: this.pendingEvents,
      links,
      tokens: new JobTokens(this.linkKey),
      policy,
      images: this.images,
      directUploads: config.directUploads ? (this.images.uploads ?? null) : null,
      buildTimeoutMinutes: config.buildTimeoutMinutes,
    };
    this.startedAt = new Date();
    const tasks = periodicTasks(this.context, this.images, (done, what) => this.logger.info(done, what));
    this.stopTasks = startPeriodicTasks(tasks, this.context.warn);
  },
  async stopped() {
    await Promise.all([this.stopTasks?.(), this.queue.stop()]);
    // Listeners on this node may request the run, so the database stays open until they are done.
    await waitAtMost(FLUSH_TIMEOUT_MS, this.pendingEvents.flush());
  },
});
