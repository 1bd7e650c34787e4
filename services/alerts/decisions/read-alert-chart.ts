import type { EntityManager } from "../../../mixins/database.ts";
import type { AlertsView } from "../../../shared/contracts/monitors/alerts.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { viewOf } from "../notifications/list-notifications.ts";
import { type ChartMark, findChartMarks, findLatestNotifications } from "./chart-mark.store.ts";

/** Reads a monitor's alerts and snoozes, and the latest response of each receiver. */
export async function readAlertChart(
  em: EntityManager,
  { teamId }: Caller,
  monitorId: string,
  days: number,
): Promise<AlertsView> {
  const about = { monitorId, teamId };
  const [marks, notifications] = await Promise.all([
    findChartMarks(em, about, days),
    findLatestNotifications(em, about),
  ]);
  return {
    alerts: marks.flatMap(alertOf),
    snoozes: marks.flatMap(({ at, until }) => (until === null ? [] : [{ from: iso(at), until: iso(until) }])),
    receivers: notifications.map(viewOf),
  };
}

function alertOf({ kind, at, checkId }: ChartMark): AlertsView["alerts"] {
  if (kind === "snoozed" || checkId === null) return [];
  // The report of an approval has a suffix after the check's id.
  return [{ kind, at: iso(at), checkId: checkId.split(".")[0] ?? checkId }];
}

function iso(at: string | Date): string {
  return new Date(at).toISOString();
}
