import type { Service } from "moleculer";
import { action, service } from "../../../shared/contracts/bus.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import type {
  AlertChannels,
  AlertStatus,
  CheckReport,
} from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Condition } from "../../../shared/contracts/monitors/conditions.ts";

/** A fake alerts service that records its calls. */
export class AlertsRecorder {
  readonly reports: CheckReport[] = [];
  readonly deletedMonitors: string[] = [];
  readonly statuses = new Map<string, AlertStatus>();
  /** The channels whose incidents were closed. */
  readonly closed: AlertChannels[] = [];
  /** Actors that snoozed or canceled a snooze. */
  readonly snoozers: (string | undefined)[] = [];
  readonly conditions: Condition[] = [];
  /** Outages of all monitors. */
  outages: { monitorId: string; from: string; until: string | null }[] = [];
  /** How often outages were read. */
  outageReads = 0;
  isAway = false;
  /** Whether the answers to conditions are lost, as if the node of the monitors stopped. */
  losesAnswers = false;
  /** Whether all monitors are snoozed. */
  isSnoozed = false;
  /** A monitor whose reports always fail. */
  failingMonitor: string | null = null;
  /** Number of failed reports. */
  refused = 0;

  get schema() {
    return service<Service>({
      name: "alerts",
      actions: {
        report: action("alerts.report", async report => {
          if (this.isAway || report.monitor.id === this.failingMonitor) {
            this.refused += 1;
            throw new Error("No alerts today.");
          }
          this.reports.push(report);
          return "none";
        }),
        snooze: action("alerts.snooze", async ({ monitorId, hours }, context) => {
          this.snoozers.push(context.meta.caller?.actor.id);
          const snoozedUntil = new Date(Date.now() + hours * 3_600_000).toISOString();
          const alertStatus = { monitorId, alertingSince: null, lastAlertAt: null, snoozedUntil };
          this.statuses.set(monitorId, alertStatus);
          return { snoozedUntil };
        }),
        unsnooze: action("alerts.unsnooze", async ({ monitorId }, context) => {
          this.snoozers.push(context.meta.caller?.actor.id);
          this.statuses.delete(monitorId);
          return null;
        }),
        test: action("alerts.test", async ({ monitor }) => ({
          notifications: Object.keys(monitor.channels).map(channel => ({ id: `del_${channel}`, channel })),
        })),
        reportCondition: action("alerts.reportCondition", async condition => {
          if (this.isAway) throw new Error("No alerts today.");
          if (this.isSnoozed && !condition.isFinal) return false;
          this.conditions.push(condition);
          if (this.losesAnswers) throw new Error("The answer is lost.");
          return true;
        }),
        outages: action("alerts.outages", async ({ monitorIds }) => {
          this.outageReads += 1;
          return this.outages.filter(({ monitorId }) => monitorIds.includes(monitorId));
        }),
        status: action("alerts.status", async ({ monitorIds }) =>
          monitorIds.flatMap(id => this.statuses.get(id) ?? []),
        ),
        deleteMonitor: action("alerts.deleteMonitor", async ({ monitor }) => {
          if (monitor.id === this.failingMonitor) throw new Error("No alerts today.");
          this.deletedMonitors.push(monitor.id);
          this.closed.push(monitor.channels);
          return null;
        }),
        closeIncident: action("alerts.closeIncident", async ({ monitor }) => {
          this.closed.push(monitor.channels);
          return null;
        }),
      },
    });
  }

  /** Returns a monitor's reports as texts: `ok`, `changed /a@1280`, `down /b changed /a@1280`. */
  of(monitorId: string): string[] {
    return this.reports
      .filter(({ monitor }) => monitor.id === monitorId)
      .map(({ outcome }) => {
        if (outcome.kind === "ok") return outcome.kind;
        const pages = outcome.regressions.map(page => `${pageName(pickPage(page))}@${page.viewport}`);
        const changed = pages.length === 0 ? [] : ["changed", ...pages];
        const down =
          outcome.kind === "down" ? [outcome.isWhole ? "all down" : "down", ...outcome.routes] : [];
        return [...down, ...changed].join(" ");
      });
  }
}
