import type {
  AlertsView,
  AvailableChannels,
  NotificationList,
} from "../../shared/contracts/monitors/alerts.ts";
import type { PeriodDays, UptimeView } from "../../shared/contracts/monitors/availability.ts";
import type { CheckList, CheckView } from "../../shared/contracts/monitors/checks.ts";
import type { HttpResultList } from "../../shared/contracts/monitors/http-checks.ts";
import type { DriftView } from "../../shared/contracts/monitors/monitor-series.ts";
import type {
  ChangeMonitor,
  CreateMonitorInput,
  MonitorList,
  MonitorView,
  TestedAlert,
} from "../../shared/contracts/monitors/monitors.ts";
import type { MonitorFilters } from "../location-filters.ts";
import { queryOf, requestJson } from "./request.ts";

const ofMonitor = (id: string) => `v1/monitors/${encodeURIComponent(id)}`;

/** Requests about monitors, their checks and alerts. Every function throws ApiProblem. */
export const monitorsApi = {
  monitors: (filters: MonitorFilters, cursor: string | null) =>
    requestJson<MonitorList>(`v1/monitors${queryOf({ ...filters, limit: "50", cursor })}`),
  /** Returns all monitors of the team. */
  async allMonitors(): Promise<MonitorView[]> {
    const monitors: MonitorView[] = [];
    let cursor: string | null = null;
    do {
      const page: MonitorList = await requestJson<MonitorList>(
        `v1/monitors${queryOf({ limit: "100", cursor })}`,
      );
      monitors.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return monitors;
  },
  monitor: (id: string) => requestJson<MonitorView>(ofMonitor(id)),
  createMonitor: (body: CreateMonitorInput) =>
    requestJson<MonitorView>("v1/monitors", { method: "POST", body }),
  changeMonitor: (id: string, body: ChangeMonitor) =>
    requestJson<MonitorView>(ofMonitor(id), { method: "PATCH", body }),
  deleteMonitor: (id: string) => requestJson<null>(ofMonitor(id), { method: "DELETE" }),
  checkMonitor: (id: string) => requestJson<CheckView>(`${ofMonitor(id)}/run`, { method: "POST" }),
  checks: (id: string, cursor: string | null) =>
    requestJson<CheckList>(`${ofMonitor(id)}/history${queryOf({ limit: "20", cursor })}`),
  drift: (id: string, days: number) =>
    requestJson<DriftView>(`${ofMonitor(id)}/drift${queryOf({ days: String(days) })}`),
  httpChecks: (id: string) =>
    requestJson<HttpResultList>(`${ofMonitor(id)}/http-checks${queryOf({ limit: "30" })}`),
  uptime: (id: string, days: PeriodDays) =>
    requestJson<UptimeView>(`${ofMonitor(id)}/uptime${queryOf({ days: String(days) })}`),
  alerts: (id: string, days: number) =>
    requestJson<AlertsView>(`${ofMonitor(id)}/alerts${queryOf({ days: String(days) })}`),
  deliveries: (id: string) => requestJson<NotificationList>(`${ofMonitor(id)}/deliveries?limit=100`),
  alertChannels: () => requestJson<AvailableChannels>("v1/alerts/channels"),
  snooze: (id: string, hours: number) =>
    requestJson<{ snoozedUntil: string }>(`${ofMonitor(id)}/snooze`, { method: "POST", body: { hours } }),
  unsnooze: (id: string) => requestJson<null>(`${ofMonitor(id)}/snooze`, { method: "DELETE" }),
  testAlert: (id: string) => requestJson<TestedAlert>(`${ofMonitor(id)}/test-alert`, { method: "POST" }),
};
