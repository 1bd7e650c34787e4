import type { EntityManager } from "../../../mixins/database.ts";
import { MARKS_AT_MOST } from "../../../shared/contracts/monitors/alerts.ts";
import { type Delivery, DeliveryEntity } from "../notifications/notification.entity.ts";

/** Queries of what a monitor's chart is marked with. */

/** A moment at which people were told, or from which on they were not to be. */
export interface Mark {
  kind: "changed" | "down" | "recovered" | "snoozed";
  checkId: string | null;
  at: string | Date;
  /** Of a snooze. */
  until: string | Date | null;
}

interface Marked {
  monitorId: string;
  teamId: string;
}

/** Notes that people are told of a check. */
export async function insertTold(
  tx: EntityManager,
  { monitorId, teamId }: Marked,
  { kind, checkId }: { kind: "changed" | "down" | "recovered"; checkId: string },
): Promise<void> {
  await tx.execute("insert into alerts.mark (monitor_id, team_id, kind, check_id) values (?, ?, ?, ?)", [
    monitorId,
    teamId,
    kind,
    checkId,
  ]);
}

/** Notes that nobody is told anything for so many hours. */
export async function insertSnooze(
  tx: EntityManager,
  { monitorId, teamId }: Marked,
  hours: number,
): Promise<void> {
  await tx.execute(
    `insert into alerts.mark (monitor_id, team_id, kind, until)
     values (?, ?, 'snoozed', now() + make_interval(hours => ?))`,
    [monitorId, teamId, hours],
  );
}

/** Notes that the snooze of a monitor, if there is one, ends now. */
export async function endSnoozes(tx: EntityManager, { monitorId, teamId }: Marked): Promise<void> {
  await tx.execute(
    `update alerts.mark set until = now()
     where monitor_id = ? and team_id = ? and kind = 'snoozed' and until > now()`,
    [monitorId, teamId],
  );
}

/** The marks of the last days, oldest first; of very many the newest. A snooze that reaches into them is one. */
export async function findMarks(
  em: EntityManager,
  { monitorId, teamId }: Marked,
  days: number,
): Promise<Mark[]> {
  const newest: Mark[] = await em.execute(
    `select kind, check_id as "checkId", at, until from alerts.mark
     where monitor_id = ? and team_id = ? and coalesce(until, at) >= now() - make_interval(days => ?)
     order by at desc, id desc limit ?`,
    [monitorId, teamId, days, MARKS_AT_MOST],
  );
  return newest.reverse();
}

/** The last message to each receiver of a monitor. */
export async function findLastDeliveries(
  em: EntityManager,
  { monitorId, teamId }: Marked,
): Promise<Delivery[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct on (channel, receiver) id from alerts.delivery
     where monitor_id = ? and team_id = ? order by channel, receiver, seq desc`,
    [monitorId, teamId],
  );
  const ids = rows.map(row => row.id);
  return em.find(DeliveryEntity, { id: { $in: ids } }, { orderBy: { channel: "asc", receiver: "asc" } });
}

export async function deleteOldMarks(em: EntityManager, days: number): Promise<void> {
  await em.execute("delete from alerts.mark where coalesce(until, at) < now() - make_interval(days => ?)", [
    days,
  ]);
}
