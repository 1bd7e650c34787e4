import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { hashKey } from "../../shared/api-keys.ts";
import { addressPolicy } from "../../shared/capture/address-guard.ts";
import type { BegunChore } from "../../shared/chores.ts";
import { configOf } from "../../shared/config.ts";
import { action, type Bus, call, NOT_TWICE, on, onBehalf, service } from "../../shared/contracts/bus.ts";
import { ServiceError } from "../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import { askForAdoption } from "./adoption.store.ts";
import { message } from "./answer.ts";
import { nudgeRun } from "./check.store.ts";
import { CheckRunEntity } from "./check-run.entity.ts";
import { APP_ACTOR, codeOf } from "./cloud-api.ts";
import { CodeHostApp } from "./code-host-app.ts";
import { completeCheck } from "./complete-check.ts";
import { configurationAt } from "./configuration-at.ts";
import { farCloudApi } from "./far-cloud-api.ts";
import { migrations } from "./migrations/index.ts";
import { ownCloudApi } from "./own-cloud-api.ts";
import { PreviewCache } from "./preview-cache.ts";
import { type Receiver, receiveWebhook } from "./receive-webhook.ts";
import { sweepRegularly } from "./sweep.ts";
import { tellApp } from "./tell-app.ts";

interface Scm extends Service, WithDatabase {
  receiver: Receiver;
  /** Null where there is no app to do anything as. */
  sweeper: BegunChore | null;
  stopping: AbortController;
  /** The team of this installation whose runs the app submits; null where they are done elsewhere. */
  teamOf: (() => Promise<string>) | null;
}

export default service<Scm>({
  name: "scm",
  mixins: [database({ schema: "scm", entities: [CheckRunEntity], migrations })],
  actions: {
    receive: action("scm.receive", function (this: Scm, delivery) {
      return receiveWebhook(this.receiver, delivery);
    }),
    complete: action("scm.complete", async function (this: Scm, delivery) {
      const { app } = this.receiver;
      if (app === null) return message(500, "code-host app not configured");
      return completeCheck({ ...this.receiver, app }, delivery);
    }),
    configuration: action(
      "scm.configuration",
      async function (this: Scm, { teamId, commit }) {
        const { app } = this.receiver;
        if (app === null || !(await isOfTeam(this, teamId))) return null;
        return configurationAt({ ...this.receiver, app }, commit);
      },
      // Who submits is asked again instead: a code host that hangs takes its time only once.
      NOT_TWICE,
    ),
  },
  events: {
    "preview.seen": on("preview.seen", function (this: Scm, { key, url }) {
      this.receiver.previews.put(key, url);
    }),
    "preview.expected": on("preview.expected", function (this: Scm, { key, url }) {
      this.receiver.expected.put(key, url);
    }),
    "run.completed": on("run.completed", function (this: Scm, run) {
      return runEnded(this, run);
    }),
    "run.reviewed": on("run.reviewed", function (this: Scm, run) {
      return runEnded(this, run);
    }),
    "run.stopped": on("run.stopped", function (this: Scm, run) {
      return runEnded(this, run);
    }),
  },
  async started() {
    const { scm: settings, allowHosts, denyNetworks, baseUrl } = configOf(this.broker);
    this.stopping = new AbortController();
    const { api } = settings;
    const isFar = api !== null && !isAt(api.baseUrl, baseUrl);
    const teamOf = () => teamOfKey(this.broker, api?.apiKey ?? null);
    this.teamOf = isFar ? null : teamOf;
    this.receiver = {
      em: () => this.em(),
      bus: this.broker,
      app: settings.app && new CodeHostApp(settings.app),
      cloud: isFar ? farCloudApi(api) : ownCloudApi(caller => onBehalf(this.broker, caller), teamOf),
      previews: new PreviewCache(),
      expected: new PreviewCache(),
      settings,
      policy: addressPolicy(allowHosts, denyNetworks),
      warn: (error, what) => this.logger.warn({ err: error }, what),
    };
    const { app } = this.receiver;
    this.sweeper = app && sweepRegularly({ ...this.receiver, app });
  },
  async stopped() {
    this.stopping?.abort();
    await this.sweeper?.stop();
  },
});

/** Whether the app works for a team, which it does for none once its key is revoked: another's runs name whatever repository they like. */
async function isOfTeam({ teamOf, receiver }: Scm, teamId: string): Promise<boolean> {
  try {
    return teamOf !== null && teamId === (await teamOf());
  } catch (error) {
    if (codeOf(error) !== "unauthorized") throw error;
    receiver.warn(error, "The app works for no team");
    return false;
  }
}

/** Has the run's check closed, here or by the app that it is of. */
async function runEnded(scm: Scm, { runId, teamId }: { runId: string; teamId: string }): Promise<void> {
  const { settings, warn } = scm.receiver;
  const { callbackUrl, callbackSecret } = settings;
  if (scm.sweeper) {
    if (!(await nudgeRun(scm.em(), runId)) && (await isOfTeam(scm, teamId)))
      await askForAdoption(scm.em(), runId);
    scm.sweeper.soon();
  }
  if (callbackUrl === null || callbackSecret === null) return;
  const bus = onBehalf(scm.broker, { teamId, role: "viewer", actor: APP_ACTOR });
  const run = await call(bus, "runs.get", { id: runId });
  // Not waited for: who tells of the run has told it.
  void tellApp({ baseUrl: callbackUrl, secret: callbackSecret }, run, scm.stopping.signal).catch(error =>
    warn(error, "A callback was not delivered"),
  );
}

/** Whether two addresses of an API are one. */
function isAt(address: string, baseUrl: string): boolean {
  return address.replace(/\/+$/, "").toLowerCase() === baseUrl.toLowerCase();
}

/** The team that a key of this installation is of; the default team where none is set. @throws ServiceError unauthorized */
async function teamOfKey(bus: Bus, key: string | null): Promise<string> {
  if (key === null) return DEFAULT_TEAM_ID;
  const identity = await call(bus, "teams.authenticate", { keyHash: hashKey(key) });
  const team = identity?.teams.find(({ deletesAt }) => deletesAt === null);
  if (!team) throw new ServiceError("unauthorized", "SERVICE_API_KEY is unknown or was revoked.");
  return team.id;
}
