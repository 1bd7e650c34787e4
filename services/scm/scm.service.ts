import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { hashKey } from "../../shared/api-keys.ts";
import { addressPolicy } from "../../shared/capture/network/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import {
  action,
  type Bus,
  call,
  callerOf,
  NO_RETRY,
  on,
  onBehalf,
  service,
} from "../../shared/contracts/bus.ts";
import type { ForwardedRun } from "../../shared/contracts/code-host/scm-actions.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import { ServiceError } from "../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import type { StartedTask } from "../../shared/periodic-task.ts";
import { isSameAddress } from "../../shared/same-address.rule.ts";
import { wakeCheckOfRun } from "./checks/check.store.ts";
import { CheckRunEntity } from "./checks/check-run.entity.ts";
import { completeCheck } from "./checks/complete-check.ts";
import { configurationAt, isFromFork } from "./checks/configuration-at.ts";
import { APP_ACTOR, codeOf } from "./cloud-api/cloud-api.ts";
import { localCloudApi } from "./cloud-api/local-cloud-api.ts";
import { notifyApp } from "./cloud-api/notify-app.ts";
import { remoteCloudApi } from "./cloud-api/remote-cloud-api.ts";
import { webhookUrlOf } from "./code-host/github/app-manifest.ts";
import { AppCheck, NO_APP } from "./code-host/github/check-app.ts";
import {
  type AppCreation,
  finishAppCreation,
  newAppForm,
  startAppCreation,
} from "./code-host/github/create-app.ts";
import { anonymousRequest, GitHubApp } from "./code-host/github/github-app.ts";
import { GitHubHost } from "./code-host/github/github-host.ts";
import { ConnectedHosts } from "./connections/connected-hosts.ts";
import { findConnectionOf, hasConnections } from "./connections/connection.store.ts";
import { connectionActions } from "./connections/connection-actions.ts";
import type { ConnectionContext } from "./connections/manage-connections.ts";
import { makeTokenHosts } from "./connections/token-hosts.ts";
import { requestExternalRun } from "./external-runs/external-run.store.ts";
import { hasForwardedRuns, isForwarded, putForwardedRun } from "./external-runs/forwarded-run.store.ts";
import { migrations } from "./migrations/index.ts";
import { PreviewCache } from "./pull-requests/preview-cache.ts";
import { startRecoverySweep } from "./recovery-sweep.ts";
import type { ScmContext } from "./scm-context.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { deleteTeamData } from "./team-data.store.ts";
import { LOG_MESSAGES } from "./texts/log.ts";
import { requestMirror } from "./threads/thread.store.ts";
import { message } from "./webhooks/answer.ts";
import { receiveConnected } from "./webhooks/connected/receive-connected.ts";
import { receiveWebhook } from "./webhooks/receive-webhook.ts";

interface Scm extends Service, WithDatabase {
  receiver: ScmContext;
  creation: AppCreation;
  /** Null without an app. */
  appCheck: AppCheck | null;
  connecting: ConnectionContext;
  hosts: ConnectedHosts;
  recoverySweep: StartedTask;
  stopping: AbortController;
  /** Returns this installation's team whose runs the app submits. Null if another installation does the runs. */
  teamOf: (() => Promise<string>) | null;
}

export default service<Scm>({
  name: "scm",
  mixins: [database({ schema: "scm", entities: [CheckRunEntity], migrations, sealed: sealedColumns })],
  actions: {
    receive: action("scm.receive", function (this: Scm, delivery) {
      return receiveWebhook(this.receiver, delivery);
    }),
    complete: action("scm.complete", async function (this: Scm, delivery) {
      if (!this.receiver.hasApp) return message(500, "code-host app not configured");
      return completeCheck(this.receiver, delivery);
    }),
    ...connectionActions,
    receiveConnected: action("scm.receiveConnected", function (this: Scm, delivery) {
      return receiveConnected(this.receiver, delivery);
    }),
    configuration: action(
      "scm.configuration",
      async function (this: Scm, run) {
        const context = await contextFor(this, run);
        return context && configurationAt(context, run.commit);
      },
      // The caller retries instead, so that a code host that hangs costs only one timeout.
      NO_RETRY,
    ),
    isFromFork: action(
      "scm.isFromFork",
      async function (this: Scm, run) {
        const context = await contextFor(this, run);
        return context && isFromFork(context, run.commit);
      },
      NO_RETRY,
    ),
    forwarding: action("scm.forwarding", async function (this: Scm, run) {
      // If another installation does the app's runs, this app does not report this run.
      if (this.teamOf !== null) await putForwardedRun(this.em(), run);
      return null;
    }),
    app: action("scm.app", async function (this: Scm) {
      const { baseUrl } = this.creation;
      return { ...(this.appCheck?.seen() ?? NO_APP), webhookUrl: webhookUrlOf(baseUrl) };
    }),
    startAppCreation: action("scm.startAppCreation", function (this: Scm, body, context) {
      return startAppCreation(this.creation, callerOf(context).actor.id, body);
    }),
    newApp: action("scm.newApp", function (this: Scm, query) {
      return newAppForm(this.creation, query);
    }),
    finishAppCreation: action(
      "scm.finishAppCreation",
      function (this: Scm, body, context) {
        return finishAppCreation(this.creation, callerOf(context).actor.id, body);
      },
      NO_RETRY,
    ),
  },
  events: {
    "preview.seen": on("preview.seen", function (this: Scm, { key, url }) {
      this.receiver.previews.put(key, url);
    }),
    "preview.expected": on("preview.expected", function (this: Scm, { key, url }) {
      this.receiver.expected.put(key, url);
    }),
    "run.submitted": on("run.submitted", async function (this: Scm, { runId, teamId }) {
      const connectionId = await connectionOf(this, { runId, teamId });
      if (connectionId === null) return;
      await requestExternalRun(this.em(), runId, { teamId, connectionId });
      this.recoverySweep.wake();
    }),
    "team.gone": on("team.gone", async function (this: Scm, { teamId }) {
      await deleteGoneTeams(this.broker, [teamId], id => deleteTeamData(this.em(), id));
    }),
    "run.completed": on("run.completed", function (this: Scm, run) {
      return runEnded(this, run);
    }),
    "run.reviewed": on("run.reviewed", function (this: Scm, run) {
      return runEnded(this, run);
    }),
    "run.proved": on("run.proved", function (this: Scm, run) {
      return runEnded(this, run);
    }),
    "run.commented": on("run.commented", async function (this: Scm, { runId }) {
      if (await requestMirror(this.em(), runId)) this.recoverySweep.wake();
    }),
    "run.stopped": on("run.stopped", function (this: Scm, run) {
      return runEnded(this, run);
    }),
  },
  async started() {
    const { scm: settings, allowHosts, denyNetworks, baseUrl } = configOf(this.broker);
    this.stopping = new AbortController();
    const { api } = settings;
    const remote = api !== null && !isSameAddress(api.baseUrl, baseUrl) ? remoteCloudApi(api) : null;
    const teamOf = () => teamOfKey(this.broker, api?.apiKey ?? null);
    this.teamOf = remote ? null : teamOf;
    const asCaller = (caller: Caller) => onBehalf(this.broker, caller);
    const app = settings.app && new GitHubApp(settings.app);
    const policy = addressPolicy(allowHosts, denyNetworks);
    const em = () => this.em();
    const warn: ScmContext["warn"] = (error, what) => this.logger.warn({ err: error }, what);
    const tokenHosts = makeTokenHosts(policy);
    this.hosts = new ConnectedHosts({ em, hosts: tokenHosts, app: app && new GitHubHost(app), warn });
    this.connecting = {
      em,
      bus: this.broker,
      policy,
      warn,
      hosts: tokenHosts,
      baseUrl,
      isRemote: remote !== null,
    };
    this.receiver = {
      em,
      bus: this.broker,
      host: this.hosts,
      hasApp: app !== null,
      cloudOf: teamId => remote ?? localCloudApi(asCaller, teamId === null ? teamOf : async () => teamId),
      previews: new PreviewCache(),
      expected: new PreviewCache(),
      settings,
      policy,
      warn,
    };
    const { apiUrl, webUrl } = settings;
    this.creation = { em, host: anonymousRequest(apiUrl), webUrl, baseUrl };
    this.appCheck = app && new AppCheck(app, warn);
    this.recoverySweep = startRecoverySweep({ ...this.receiver, ...this.connecting }, this.appCheck);
  },
  async stopped() {
    this.stopping?.abort();
    await this.recoverySweep?.stop();
  },
});

/**
 * Returns what reads a repository for a run: its connection, or the app. Null if the app does not work for the run's team
 * and the run was not forwarded.
 */
async function contextFor(scm: Scm, run: ForwardedRun) {
  const { receiver } = scm;
  const connection = await findConnectionOf(scm.em(), run.teamId, run.commit);
  if (connection) return { ...receiver, host: scm.hosts.ofConnection(connection) };
  if (!receiver.hasApp || !((await isOfTeam(scm, run.teamId)) || (await isForwarded(scm.em(), run))))
    return null;
  return receiver;
}

/**
 * Returns whether the app works for a team. It works for none after its key is revoked. Other teams' runs can name any
 * repository.
 */
async function isOfTeam({ teamOf, receiver }: Scm, teamId: string): Promise<boolean> {
  try {
    return teamOf !== null && teamId === (await teamOf());
  } catch (error) {
    if (codeOf(error) !== "unauthorized") throw error;
    receiver.warn(error, LOG_MESSAGES.noTeam);
    return false;
  }
}

/** Returns the id of the team's connection to the repository of a run, or null. */
async function connectionOf(
  scm: Scm,
  { runId, teamId }: { runId: string; teamId: string },
): Promise<string | null> {
  if (!(await hasConnections(scm.em(), teamId))) return null;
  const run = await scm.receiver.cloudOf(teamId).run(runId);
  if (run?.scm == null) return null;
  return (await findConnectionOf(scm.em(), teamId, run.scm))?.id ?? null;
}

/** Wakes the run's check, here or in another installation's app. */
async function runEnded(scm: Scm, { runId, teamId }: { runId: string; teamId: string }): Promise<void> {
  const { settings, warn, hasApp } = scm.receiver;
  const { callbackUrl, callbackSecret } = settings;
  if (!(await wakeCheckOfRun(scm.em(), runId))) {
    const connectionId = await connectionOf(scm, { runId, teamId });
    if (connectionId !== null) await requestExternalRun(scm.em(), runId, { teamId, connectionId });
    else if (hasApp && (await isOfTeam(scm, teamId))) await requestExternalRun(scm.em(), runId);
    else if (hasApp && (await hasForwardedRuns(scm.em(), teamId)))
      await requestExternalRun(scm.em(), runId, { teamId });
  }
  scm.recoverySweep.wake();
  if (callbackUrl === null || callbackSecret === null) return;
  const bus = onBehalf(scm.broker, { teamId, role: "viewer", actor: APP_ACTOR });
  const run = await call(bus, "runs.get", { id: runId });
  // Not awaited, so that the event handler does not wait for the callback's retries.
  void notifyApp({ baseUrl: callbackUrl, secret: callbackSecret }, run, scm.stopping.signal).catch(error =>
    warn(error, LOG_MESSAGES.callbackNotDelivered),
  );
}

/** Returns the team of this installation's key, or the default team without a key. @throws ServiceError unauthorized */
async function teamOfKey(bus: Bus, key: string | null): Promise<string> {
  if (key === null) return DEFAULT_TEAM_ID;
  const identity = await call(bus, "teams.authenticate", { keyHash: hashKey(key) });
  const team = identity?.teams.find(({ deletesAt }) => deletesAt === null);
  if (!team) throw new ServiceError("unauthorized", LOG_MESSAGES.wrongKey);
  return team.id;
}
