import type { EntityManager } from "../../../mixins/database.ts";
import { MAX_CHART_MARKS } from "../../../shared/contracts/monitors/alerts.ts";
import { type Notification, NotificationEntity } from "../notifications/notification.entity.ts";

/** A time at which an alert was sent, or a snooze started. */
export interface ChartMark {
  kind: "changed" | "down" | "recovered" | "snoozed";
  checkId: string | null;
  at: string | Date;
  /** End of a snooze. */
  until: string | Date | null;
}

interface MarkedMonitor {
  monitorId: string;
  teamId: string;
}

/** Records an alert about a check. */
export async function insertAlertMark(
  tx: EntityManager,
  { monitorId, teamId }: MarkedMonitor,
  { kind, checkId }: { kind: "changed" | "down" | "recovered"; checkId: string },
): Promise<void> {
  await tx.execute(
    "insert into alerts.chart_mark (monitor_id, team_id, kind, check_id) values (?, ?, ?, ?)",
    [monitorId, teamId, kind, checkId],
  );
}

/** Records a snooze. */
export async function insertSnooze(
  tx: EntityManager,
  { monitorId, teamId }: MarkedMonitor,
  hours: number,
): Promise<void> {
  await tx.execute(
    `insert into alerts.chart_mark (monitor_id, team_id, kind, until)
     values (?, ?, 'snoozed', now() + make_interval(hours => ?))`,
    [monitorId, teamId, hours],
  );
}

/** Ends a monitor's snooze now, if there is one. */
export async function endSnoozes(tx: EntityManager, { monitorId, teamId }: MarkedMonitor): Promise<void> {
  await tx.execute(
    `update alerts.chart_mark set until = now()
     where monitor_id = ? and team_id = ? and kind = 'snoozed' and until > now()`,
    [monitorId, teamId],
  );
}

/**
 * Returns the marks of the last days, oldest first. If there are too many, only the newest. Snoozes that reach
 * into the period are included.
 */
export async function findChartMarks(
  em: EntityManager,
  { monitorId, teamId }: MarkedMonitor,
  days: number,
): Promise<ChartMark[]> {
  const newest: ChartMark[] = await em.execute(
    `select kind, check_id as "checkId", at, until from alerts.chart_mark
     where monitor_id = ? and team_id = ? and coalesce(until, at) >= now() - make_interval(days => ?)
     order by at desc, id desc limit ?`,
    [monitorId, teamId, days, MAX_CHART_MARKS],
  );
  return newest.reverse();
}

/** Returns the latest notification to each receiver of a monitor. */
export async function findLatestNotifications(
  em: EntityManager,
  { monitorId, teamId }: MarkedMonitor,
): Promise<Notification[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct on (channel, receiver) id from alerts.notification
     where monitor_id = ? and team_id = ? order by channel, receiver, seq desc`,
    [monitorId, teamId],
  );
  const ids = rows.map(row => row.id);
  return em.find(NotificationEntity, { id: { $in: ids } }, { orderBy: { channel: "asc", receiver: "asc" } });
}

export async function deleteOldChartMarks(em: EntityManager, days: number): Promise<void> {
  await em.execute(
    "delete from alerts.chart_mark where coalesce(until, at) < now() - make_interval(days => ?)",
    [days],
  );
}
