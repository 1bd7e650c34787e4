import type { Service } from "moleculer";
import type { AlertStanding, CheckReport } from "../../shared/contracts/alert-actions.ts";
import { action, service } from "../../shared/contracts/bus.ts";

/** A service called alerts that notes what it is asked. */
export class AlertsRecorder {
  readonly reports: CheckReport[] = [];
  readonly forgotten: string[] = [];
  readonly standings = new Map<string, AlertStanding>();
  away = false;
  /** Reports that it did not take. */
  refused = 0;

  get schema() {
    return service<Service>({
      name: "alerts",
      actions: {
        report: action("alerts.report", async report => {
          if (this.away) {
            this.refused += 1;
            throw new Error("No alerts today.");
          }
          this.reports.push(report);
          return "none";
        }),
        snooze: action("alerts.snooze", async ({ monitorId, hours }) => {
          const snoozedUntil = new Date(Date.now() + hours * 3_600_000).toISOString();
          const standing = { monitorId, alertingSince: null, lastAlertAt: null, snoozedUntil };
          this.standings.set(monitorId, standing);
          return { snoozedUntil };
        }),
        test: action("alerts.test", async ({ monitor }) => ({
          deliveries: Object.keys(monitor.channels).map(channel => ({ id: `del_${channel}`, channel })),
        })),
        standing: action("alerts.standing", async ({ monitorIds }) =>
          monitorIds.flatMap(id => this.standings.get(id) ?? []),
        ),
        forget: action("alerts.forget", async ({ monitorId }) => {
          this.forgotten.push(monitorId);
          return null;
        }),
      },
    });
  }

  /** What was reported of a monitor, in words: `ok`, `changed /a@1280`, `down`. */
  of(monitorId: string): string[] {
    return this.reports
      .filter(({ monitor }) => monitor.id === monitorId)
      .map(({ outcome }) =>
        outcome.kind === "changed"
          ? `changed ${outcome.regressions.map(page => `${page.route}@${page.viewport}`).join(" ")}`
          : outcome.kind,
      );
  }
}
