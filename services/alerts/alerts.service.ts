import type { Service } from "moleculer";
import { onOneNode } from "../../mixins/database/on-one-node.ts";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { beforeStop } from "../../shared/broker/shutdown.ts";
import { addressPolicy } from "../../shared/capture/network/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import { action, call, callerOf, on, onBehalf, service } from "../../shared/contracts/bus.ts";
import { publishMonitorsChanged } from "../../shared/contracts/monitors/monitors-changed.ts";
import { signedLinks } from "../../shared/contracts/runs/signed-links.ts";
import { type StartedTask, startPeriodicTask } from "../../shared/periodic-task.ts";
import type { AlertsContext } from "./alerts-context.ts";
import { chatAppActions } from "./chat-apps/chat-app-actions.ts";
import type { InteractionContext } from "./chat-apps/handle-interaction.ts";
import { reportCondition } from "./conditions/report-condition.ts";
import { AlertStateEntity } from "./decisions/alert-state.entity.ts";
import { closeIncident, deleteMonitorAlerts } from "./decisions/close-incident.ts";
import { readAlertChart } from "./decisions/read-alert-chart.ts";
import { reportCheck } from "./decisions/report-check.ts";
import { ALERT_LINK, readStatuses, snoozeMonitor, unsnoozeMonitor } from "./decisions/snooze-monitor.ts";
import { incidentActions } from "./incidents/incident-actions.ts";
import { mailNotice } from "./mail/mail-notice.ts";
import { mailUsage } from "./mail/mail-usage.ts";
import { Mailer } from "./mail/mailer.ts";
import { Thumbnails } from "./mail/thumbnails.ts";
import { unsubscribe } from "./mail/unsubscribe.ts";
import { migrations } from "./migrations/index.ts";
import { projectReceiverActions } from "./notices/project-receiver-actions.ts";
import { sendDigests } from "./notices/send-digests.ts";
import { Dispatcher } from "./notifications/dispatcher.ts";
import { listNotifications } from "./notifications/list-notifications.ts";
import { NotificationEntity } from "./notifications/notification.entity.ts";
import type { LeasedNotification } from "./notifications/notification.store.ts";
import { testChannels } from "./notifications/test-channels.ts";
import { deleteAllGone, deleteReceiversOfGone, prune } from "./prune.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { LOG_MESSAGES } from "./texts.ts";
import { transferActions } from "./transfer-actions.ts";
import { mailPaused } from "./webhooks/mail-paused.ts";
import { webhookActions } from "./webhooks/webhook-actions.ts";

const PRUNE_INTERVAL_MS = 3_600_000;
const GONE_TEAMS_TASK = { table: "alerts.periodic_task", name: "gone-teams" };
/** Notices wait for minutes, so some seconds don't matter. */
const DIGEST_INTERVAL_MS = 5_000;

export interface Alerts extends Service, WithDatabase, WithImages {
  context: AlertsContext;
  interactions: InteractionContext;
  dispatcher?: Dispatcher;
  pruning?: StartedTask;
  goneTeams?: StartedTask;
  digests?: StartedTask;
}

export default service<Alerts>({
  name: "alerts",
  mixins: [
    database({
      schema: "alerts",
      entities: [NotificationEntity, AlertStateEntity],
      migrations,
      sealed: sealedColumns,
    }),
    imageStore(),
  ],
  actions: {
    ...transferActions,
    ...webhookActions,
    ...projectReceiverActions,
    ...chatAppActions,
    ...incidentActions,
    report: action("alerts.report", function (this: Alerts, report) {
      return reportCheck(this.context, report);
    }),
    reportCondition: action("alerts.reportCondition", function (this: Alerts, condition) {
      return reportCondition(this.context, condition);
    }),
    snooze: action("alerts.snooze", function (this: Alerts, params, context) {
      return snoozeMonitor(this.context, context.meta.caller?.actor ?? ALERT_LINK, params);
    }),
    unsnooze: action("alerts.unsnooze", async function (this: Alerts, params, context) {
      await unsnoozeMonitor(this.context, callerOf(context).actor, params);
      return null;
    }),
    chart: action("alerts.chart", async function (this: Alerts, { monitorId, query }, context) {
      await call(context, "monitors.get", { id: monitorId });
      return readAlertChart(this.em(), callerOf(context), monitorId, query.days);
    }),
    test: action("alerts.test", async function (this: Alerts, { monitor }) {
      return { notifications: await testChannels(this.context, monitor) };
    }),
    channels: action("alerts.channels", async function (this: Alerts) {
      return { email: this.context.mailer !== null };
    }),
    status: action("alerts.status", function (this: Alerts, { monitorIds }) {
      return readStatuses(this.em(), monitorIds);
    }),
    deleteMonitor: action("alerts.deleteMonitor", async function (this: Alerts, { monitor }) {
      await deleteMonitorAlerts(this.context, monitor);
      return null;
    }),
    closeIncident: action("alerts.closeIncident", async function (this: Alerts, { monitor }) {
      await closeIncident(this.context, monitor);
      return null;
    }),
    mail: action("alerts.mail", async function (this: Alerts, notice) {
      await mailNotice(this.context, notice);
      return null;
    }),
    mailUsage: action("alerts.mailUsage", async function (this: Alerts, notice) {
      await mailUsage(this.context, notice, configOf(this.broker).baseUrl);
      return null;
    }),
    notifications: action(
      "alerts.notifications",
      async function (this: Alerts, { monitorId, query }, context) {
        // Throws if the team does not have this monitor.
        await call(context, "monitors.get", { id: monitorId });
        return listNotifications(this.em(), callerOf(context), monitorId, query);
      },
    ),
    unsubscribe: action("alerts.unsubscribe", async function (this: Alerts, params) {
      await unsubscribe(this.context, params);
      return null;
    }),
  },
  events: {
    "team.gone": on("team.gone", function (this: Alerts, { teamId }) {
      return deleteReceiversOfGone(this.context, [teamId]);
    }),
  },
  created() {
    // Stops before other services do, because messages being sent need links, images and the database.
    beforeStop(this.broker, () => this.dispatcher?.stop());
  },
  async started() {
    const config = configOf(this.broker);
    const { baseUrl, mail, allowHosts, denyNetworks, pagerdutyUrl, discordUrl } = config;
    const mailer = mail && new Mailer(mail);
    const warn = (error: unknown, what: string) => this.logger.warn({ err: error }, what);
    const policy = addressPolicy(allowHosts, denyNetworks);
    const sender = {
      links: signedLinks(this.broker, baseUrl),
      baseUrl,
      thumbnails: new Thumbnails(this.images),
      mailer,
      policy,
      onUnresolved: (detail: string) => this.logger.warn(LOG_MESSAGES.noAllowedAddress(detail)),
      pagerdutyUrl,
    };
    const onAttempt = ({ id, monitorId, teamId }: LeasedNotification) => {
      if (monitorId === null || teamId === null) return;
      publishMonitorsChanged(this.broker, [{ monitorId, teamId }]).catch(error =>
        warn(error, LOG_MESSAGES.notPublished(id)),
      );
    };
    const onPause = () => {
      mailPaused(this.context).catch(error => warn(error, LOG_MESSAGES.noticeNotSent));
    };
    const dispatcher = new Dispatcher({ em: () => this.em(), sender, onAttempt, onPause, warn });
    this.dispatcher = dispatcher;
    const wake = () => dispatcher.wake();
    this.context = {
      em: () => this.em(),
      bus: this.broker,
      baseUrl,
      policy,
      discordUrl,
      wake,
      mailer,
      noticeDelaySeconds: config.noticeDelaySeconds,
      warn,
    };
    this.interactions = {
      ...this.context,
      as: caller => onBehalf(this.broker, caller),
      links: sender.links,
    };
    dispatcher.start();
    this.digests = startPeriodicTask(
      {
        intervalMs: DIGEST_INTERVAL_MS,
        work: signal => sendDigests(this.context, signal),
        failed: LOG_MESSAGES.digestsNotSent,
      },
      warn,
    );
    this.pruning = startPeriodicTask(
      {
        intervalMs: PRUNE_INTERVAL_MS,
        work: async signal => {
          await mailPaused(this.context);
          await prune(this.context, signal);
        },
        failed: LOG_MESSAGES.notDeleted,
      },
      warn,
    );
    const goneTeams = onOneNode(this.context.em, GONE_TEAMS_TASK, {
      intervalMs: PRUNE_INTERVAL_MS,
      work: signal => deleteAllGone(this.context, signal),
      failed: LOG_MESSAGES.notDeleted,
    });
    this.goneTeams = startPeriodicTask(goneTeams, warn);
  },
  async stopped() {
    await Promise.all([this.pruning?.stop(), this.goneTeams?.stop(), this.digests?.stop()]);
    await this.dispatcher?.stop();
    this.context?.mailer?.close();
  },
});
