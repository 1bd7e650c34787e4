import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { METRICS, registerMetrics } from "../../shared/broker/metrics/metric-catalogue.ts";
import { probeFrom } from "../../shared/broker/renderers.ts";
import { addressPolicy } from "../../shared/capture/network/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import {
  action,
  callerAction,
  callerOf,
  NO_RETRY,
  on,
  onBehalf,
  service,
} from "../../shared/contracts/bus.ts";
import { signedLinks } from "../../shared/contracts/runs/signed-links.ts";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import { startPeriodicTasks } from "../../shared/periodic-task.ts";
import { checkCertificates } from "./certificates/check-certificates.ts";
import { advanceCheckOf } from "./checks/advance-check.ts";
import { CheckEntity } from "./checks/check.entity.ts";
import { measureOverdue } from "./checks/check.store.ts";
import { alertedMonitor, noteApproval } from "./checks/report-check.ts";
import { runCheck } from "./checks/run-check.ts";
import { startDue } from "./checks/start-due.ts";
import { submitConfirmations } from "./checks/submit-check.ts";
import { reportUnchecked } from "./heartbeat/report-unchecked.ts";
import { readHttpChecks } from "./http/read-http-checks.ts";
import { runHttpChecks } from "./http/run-http-checks.ts";
import { endStoppedHttpChecks } from "./http/stop-http-checks.ts";
import {
  advanceWindows,
  createMaintenance,
  endMaintenance,
  listMaintenance,
} from "./maintenance/manage-maintenance.ts";
import { migrations } from "./migrations/index.ts";
import type { MonitorsContext } from "./monitors-context.ts";
import { readDrift } from "./queries/read-drift.ts";
import { readLooks } from "./queries/read-looks.ts";
import { getMonitor, listHistory, listMonitors } from "./queries/read-monitors.ts";
import { readUptime } from "./queries/read-uptime.ts";
import { cleanUpTeams, pruneChecks, recoverChecks, recoverReports } from "./recovery-sweep.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { changeMonitor } from "./settings/change-monitor.ts";
import { createMonitor } from "./settings/create-monitor.ts";
import { deleteMonitor, deleteTeamData, purgeMonitors } from "./settings/delete-monitor.ts";
import { snooze, testAlert, unsnooze } from "./settings/manual-alerts.ts";
import { MonitorEntity } from "./settings/monitor.entity.ts";
import { countMonitors, findMonitor } from "./settings/monitor.store.ts";
import { syncPlan } from "./settings/sync-plan.ts";
import {
  changeStatusPage,
  createBadge,
  createStatusPage,
  deleteBadge,
  listStatusPages,
  removeStatusPage,
} from "./status-pages/manage-status-pages.ts";
import { openStatusPage, readBadge } from "./status-pages/open-status-page.ts";
import { SharedReads } from "./status-pages/shared-reads.ts";
import { LOG_MESSAGES } from "./texts.ts";
import { transferActions } from "./transfer-actions.ts";

/** Intervals are minutes, so a few seconds of delay don't matter. */
const START_INTERVAL_MS = 5_000;
/**
 * Longer than a deployment's switchover or a short cache problem, and short compared with the smallest interval of
 * 5 minutes.
 */
const CONFIRM_AFTER_MS = 4_000;
const CONFIRM_INTERVAL_MS = 1_000;
const RECOVERY_INTERVAL_MS = 15_000;
const CLEANUP_INTERVAL_MS = 60_000;
/** Long enough to check what became due while the service was down. */
const HEARTBEAT_GRACE_MS = 15 * 60_000;
const HTTP_INTERVAL_MS = 10_000;
/** About as often as metrics are read. */
const METRICS_INTERVAL_MS = 15_000;

interface Monitors extends Service, WithDatabase {
  context: MonitorsContext;
  stopTasks?: () => Promise<void>;
}

export default service<Monitors>({
  name: "monitors",
  mixins: [
    database({
      schema: "monitors",
      entities: [MonitorEntity, CheckEntity],
      migrations,
      sealed: sealedColumns,
    }),
  ],
  actions: {
    ...transferActions,
    create: callerAction("monitors.create", createMonitor),
    list: callerAction("monitors.list", (context, caller, { query }) => listMonitors(context, caller, query)),
    get: callerAction("monitors.get", (context, caller, { id }) => getMonitor(context, caller, id)),
    // A retry could overwrite a change that another user made in between.
    change: callerAction(
      "monitors.change",
      (context, caller, { id, body }) => changeMonitor(context, caller, id, body),
      NO_RETRY,
    ),
    delete: action(
      "monitors.delete",
      async function (this: Monitors, { id }, context) {
        await deleteMonitor(this.context, callerOf(context), id);
        return null;
      },
      NO_RETRY,
    ),
    run: callerAction("monitors.run", runCheck),
    history: callerAction("monitors.history", (context, caller, { id, query }) =>
      listHistory(context, caller, id, query),
    ),
    snooze: callerAction("monitors.snooze", snooze),
    unsnooze: action("monitors.unsnooze", async function (this: Monitors, { id }, context) {
      await unsnooze(this.context, callerOf(context), id);
      return null;
    }),
    drift: callerAction("monitors.drift", (context, caller, { id, query }) =>
      readDrift(context, caller, id, query),
    ),
    createMaintenance: callerAction("monitors.createMaintenance", createMaintenance),
    listMaintenance: callerAction("monitors.listMaintenance", listMaintenance),
    endMaintenance: callerAction("monitors.endMaintenance", endMaintenance),
    createBadge: callerAction("monitors.createBadge", createBadge, NO_RETRY),
    deleteBadge: callerAction("monitors.deleteBadge", deleteBadge),
    statusPages: callerAction("monitors.statusPages", listStatusPages),
    createStatusPage: callerAction("monitors.createStatusPage", createStatusPage),
    changeStatusPage: callerAction("monitors.changeStatusPage", changeStatusPage, NO_RETRY),
    deleteStatusPage: callerAction("monitors.deleteStatusPage", removeStatusPage),
    openStatusPage: action("monitors.openStatusPage", function (this: Monitors, params) {
      return openStatusPage(this.context, params);
    }),
    badge: action("monitors.badge", function (this: Monitors, params) {
      return readBadge(this.context, params);
    }),
    httpChecks: callerAction("monitors.httpChecks", readHttpChecks),
    uptime: callerAction("monitors.uptime", readUptime),
    looks: callerAction("monitors.looks", readLooks),
    testAlert: callerAction(
      "monitors.testAlert",
      (context, caller, { id }) => testAlert(context, caller, id),
      NO_RETRY,
    ),
    exists: action("monitors.exists", async function (this: Monitors, { id, teamId }) {
      return (await findMonitor(this.em(), teamId, id)) !== null;
    }),
    alerted: action("monitors.alerted", async function (this: Monitors, { id, teamId }) {
      const monitor = await findMonitor(this.em(), teamId, id);
      return monitor && alertedMonitor(monitor);
    }),
    count: action("monitors.count", function (this: Monitors, { teamId }) {
      return countMonitors(this.em(), teamId);
    }),
  },
  events: {
    "run.completed": on("run.completed", function (this: Monitors, { runId }) {
      return advanceCheckOf(this.context, runId);
    }),
    "run.progressed": on("run.progressed", async function (this: Monitors, { id, project, conclusion }) {
      // Without this filter, each step of every run would cause a query.
      if (conclusion === "approved" && monitorOfProject(project)) await noteApproval(this.context, id);
    }),
    "plan.changed": on("plan.changed", async function (this: Monitors, { teamId }) {
      await syncPlan(this.context, teamId);
    }),
    // A team may have been deleted or restored.
    "access.changed": on("access.changed", async function (this: Monitors, { ids }) {
      for (const id of ids) if (id.startsWith("team_")) await syncPlan(this.context, id);
    }),
    "team.gone": on("team.gone", function (this: Monitors, { teamId }) {
      return deleteTeamData(this.context, teamId);
    }),
    // Before the node is on the bus, its requests reach no service.
    "$broker.started": {
      handler(this: Monitors) {
        const { context } = this;
        const startedMs = Date.now();
        this.stopTasks = startPeriodicTasks(
          [
            {
              intervalMs: START_INTERVAL_MS,
              work: signal => startDue(context, signal),
              failed: LOG_MESSAGES.dueNotStarted,
            },
            {
              intervalMs: METRICS_INTERVAL_MS,
              work: async () => {
                const seconds = await measureOverdue(context.em());
                this.broker.metrics.set(METRICS.monitorsOverdueSeconds.name, seconds);
              },
              failed: LOG_MESSAGES.notMeasured,
            },
            {
              intervalMs: CLEANUP_INTERVAL_MS,
              work: () => checkCertificates(context),
              failed: LOG_MESSAGES.certificatesNotChecked,
            },
            {
              intervalMs: HTTP_INTERVAL_MS,
              work: signal => runHttpChecks(context, signal),
              failed: LOG_MESSAGES.httpChecksNotRun,
            },
            {
              intervalMs: HTTP_INTERVAL_MS,
              work: () => endStoppedHttpChecks(context),
              failed: LOG_MESSAGES.httpChecksNotEnded,
            },
            {
              intervalMs: CLEANUP_INTERVAL_MS,
              work: async () => {
                // After downtime of the service, due monitors are checked first.
                if (Date.now() - startedMs > HEARTBEAT_GRACE_MS) await reportUnchecked(context);
              },
              failed: LOG_MESSAGES.uncheckedNotFound,
            },
            {
              intervalMs: RECOVERY_INTERVAL_MS,
              work: () => advanceWindows(context),
              failed: LOG_MESSAGES.maintenanceNotAdvanced,
            },
            {
              intervalMs: CONFIRM_INTERVAL_MS,
              work: () => submitConfirmations(context),
              failed: LOG_MESSAGES.confirmationsNotSubmitted,
            },
            // Separate tasks, so that one that waits for another service does not delay the others.
            {
              intervalMs: RECOVERY_INTERVAL_MS,
              work: () => recoverReports(context),
              failed: LOG_MESSAGES.checksNotReported,
            },
            {
              intervalMs: RECOVERY_INTERVAL_MS,
              work: () => recoverChecks(context),
              failed: LOG_MESSAGES.sweepFailed,
            },
            {
              intervalMs: CLEANUP_INTERVAL_MS,
              work: () => cleanUpTeams(context),
              failed: LOG_MESSAGES.cleanupFailed,
            },
            {
              intervalMs: CLEANUP_INTERVAL_MS,
              work: () => pruneChecks(context),
              failed: LOG_MESSAGES.oldChecksNotDeleted,
            },
            {
              intervalMs: CLEANUP_INTERVAL_MS,
              work: () => purgeMonitors(context),
              failed: LOG_MESSAGES.monitorsNotRemoved,
            },
          ],
          context.warn,
        );
      },
    },
  },
  async started() {
    const config = configOf(this.broker);
    registerMetrics(this.broker.metrics, [METRICS.monitorsOverdueSeconds]);
    this.context = {
      em: () => this.em(),
      bus: this.broker,
      as: caller => onBehalf(this.broker, caller),
      baseUrl: config.baseUrl,
      links: signedLinks(this.broker, config.baseUrl),
      confirmAfterMs: CONFIRM_AFTER_MS,
      statusReads: new SharedReads(),
      probe: (region, asked) => probeFrom(this.broker, region, asked),
      policy: addressPolicy(config.allowHosts, config.denyNetworks),
      warn: (error, what) => this.logger.warn({ err: error }, what),
    };
  },
  async stopped() {
    await this.stopTasks?.();
  },
});
