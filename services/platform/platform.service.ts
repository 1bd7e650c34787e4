import type { Service } from "moleculer";
import { onOneNode } from "../../mixins/database/on-one-node.ts";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { configOf } from "../../shared/config.ts";
import { action, callerAction, callerOf, NO_RETRY, on, service } from "../../shared/contracts/bus.ts";
import { startPeriodicTasks } from "../../shared/periodic-task.ts";
import { PlatformApi } from "./api/platform-api.ts";
import { VariableCache } from "./api/variable-cache.ts";
import { cleanupTask } from "./cleanup.ts";
import { deliver } from "./deliveries/deliver.ts";
import { hasOwnKeys } from "./deliveries/recipient.store.ts";
import { ConsentEntity } from "./installs/consent.entity.ts";
import { forgetAllGone, forgetTeamsIfGone } from "./installs/forget-gone-teams.ts";
import { beginInstall, finishInstall } from "./installs/install-integration.ts";
import { allow, listConsents, revoke } from "./installs/manage-consents.ts";
import { addTeamAdmin, changeProject, chooseTeam, listInstalls } from "./installs/manage-installs.ts";
import { migrations } from "./migrations/index.ts";
import type { PlatformContext } from "./platform-context.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { LOG_MESSAGES } from "./texts.ts";

/** The event of a team's deletion does this at once. */
const GONE_TEAMS_INTERVAL_MS = 3_600_000;
const GONE_TEAMS_TASK = { table: "platform.periodic_task", name: "gone-teams" };

interface Platform extends Service, WithDatabase {
  context: PlatformContext;
  stopTasks?: () => Promise<void>;
}

export default service<Platform>({
  name: "platform",
  mixins: [database({ schema: "platform", entities: [ConsentEntity], migrations, sealed: sealedColumns })],
  actions: {
    deliver: action("platform.deliver", function (this: Platform, delivery) {
      return deliver(this.context, delivery);
    }),
    beginInstall: action("platform.beginInstall", function (this: Platform, { browserHash }) {
      return beginInstall(this.context, browserHash);
    }),
    finishInstall: action(
      "platform.finishInstall",
      function (this: Platform, params) {
        return finishInstall(this.context, params);
      },
      NO_RETRY,
    ),
    installs: callerAction("platform.installs", (context, caller, page) =>
      listInstalls(context, caller, page),
    ),
    changeProject: callerAction("platform.changeProject", (context, caller, change) =>
      changeProject(context, caller, change),
    ),
    chooseTeam: action("platform.chooseTeam", async function (this: Platform, choice, context) {
      await chooseTeam(this.context, callerOf(context), choice);
      return null;
    }),
    addAdmin: callerAction("platform.addAdmin", (context, caller, admin) =>
      addTeamAdmin(context, caller, admin),
    ),
    consents: action("platform.consents", function (this: Platform, page) {
      return listConsents(this.em(), page);
    }),
    allow: action("platform.allow", function (this: Platform, { key }) {
      return allow(this.em(), key);
    }),
    revoke: action("platform.revoke", async function (this: Platform, { key }) {
      await revoke(this.em(), key);
      return null;
    }),
  },
  events: {
    "team.gone": on("team.gone", function (this: Platform, { teamId }) {
      return forgetTeamsIfGone(this.context, [teamId]);
    }),
  },
  async started() {
    const { platform: settings, baseUrl } = configOf(this.broker);
    const warn: PlatformContext["warn"] = (error, what) => this.logger.warn({ err: error }, what);
    const platformApi = settings.oauth && new PlatformApi(settings.oauth, `${baseUrl}/api/install`);
    this.context = {
      em: () => this.em(),
      bus: this.broker,
      settings,
      keys: { hasOwn: await hasOwnKeys(this.em()) },
      baseUrl,
      platformApi,
      variables: new VariableCache({ api: platformApi, apiUrl: settings.apiUrl, warn }),
      warn,
    };
    const goneTeams = onOneNode(this.context.em, GONE_TEAMS_TASK, {
      intervalMs: GONE_TEAMS_INTERVAL_MS,
      work: signal => forgetAllGone(this.context, signal),
      failed: LOG_MESSAGES.teamsNotForgotten,
    });
    this.stopTasks = startPeriodicTasks([cleanupTask(this.context), goneTeams], this.context.warn);
  },
  async stopped() {
    await this.stopTasks?.();
  },
});
