import type { EntityManager } from "../../../mixins/database.ts";
import type { MaintenanceMode, MaintenanceSchedule } from "../../../shared/contracts/monitors/maintenance.ts";
import type { Occurrence } from "./occurrence.rule.ts";

/** A stored maintenance window. It never changes, so that charts show what applied. */
export interface MaintenanceWindow {
  id: string;
  title: string;
  /** Null for all monitors of the team. */
  monitorIds: string[] | null;
  mode: MaintenanceMode;
  schedule: MaintenanceSchedule;
  /** The current or next occurrence. */
  next: Occurrence | null;
  endedAt: Date | null;
  createdBy: string;
  createdAt: Date;
  isActive: boolean;
}

interface Row extends Omit<MaintenanceWindow, "next" | "createdAt" | "endedAt"> {
  nextFrom: string | Date | null;
  nextUntil: string | Date | null;
  createdAt: string | Date;
  endedAt: string | Date | null;
}

const COLUMNS = `id, title, monitor_ids as "monitorIds", mode, schedule, next_from as "nextFrom",
  next_until as "nextUntil", ended_at as "endedAt", created_by as "createdBy", created_at as "createdAt",
  coalesce(next_from <= now() and next_until > now(), false) as "isActive"`;

/** SQL for whether a window of this mode applies to a monitor's row now. @param mode null for any */
export const inMaintenance = (row: string, mode: MaintenanceMode | null) => `exists (
  select from monitors.maintenance w where w.team_id = ${row}.team_id and w.next_from <= now() and w.next_until > now()
    and (w.monitor_ids is null or jsonb_exists(w.monitor_ids, ${row}.id)) ${mode === null ? "" : `and w.mode = '${mode}'`})`;

export type NewWindow = Pick<
  MaintenanceWindow,
  "id" | "title" | "monitorIds" | "mode" | "schedule" | "next" | "createdBy"
> & { teamId: string; idempotencyKey: string | null; bodyDigest: string };

/** Inserts a window. The caller holds the team's lock, and has looked for a repeat. */
export async function insertWindow(tx: EntityManager, window: NewWindow): Promise<void> {
  const { id, teamId, title, monitorIds, mode, schedule, next, createdBy, idempotencyKey, bodyDigest } =
    window;
  await tx.execute(
    `insert into monitors.maintenance (id, team_id, title, monitor_ids, mode, schedule, next_from, next_until, created_by,
       idempotency_key, body_digest)
     values (?, ?, ?, ?::jsonb, ?, ?::jsonb, ?, ?, ?, ?, ?)`,
    [
      ...[id, teamId, title, monitorIds && JSON.stringify(monitorIds), mode, JSON.stringify(schedule)],
      ...[next?.from ?? null, next?.until ?? null, createdBy, idempotencyKey, bodyDigest],
    ],
  );
}

/** Finds the window that a repeated message, or a request with the same idempotency key, has created. */
export async function findRepeatedWindow(
  em: EntityManager,
  teamId: string,
  { id, idempotencyKey }: { id: string; idempotencyKey: string | null },
): Promise<{ id: string; bodyDigest: string | null } | null> {
  const [row]: { id: string; bodyDigest: string | null }[] = await em.execute(
    `select id, body_digest as "bodyDigest" from monitors.maintenance
     where team_id = ? and (id = ? or idempotency_key = ?::text)`,
    [teamId, id, idempotencyKey],
  );
  return row ?? null;
}

export async function findWindow(
  em: EntityManager,
  teamId: string,
  id: string,
): Promise<MaintenanceWindow | null> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from monitors.maintenance where id = ? and team_id = ?`,
    [id, teamId],
  );
  return rows[0] ? windowOf(rows[0]) : null;
}

/** Returns a team's windows that have not ended, newest first. One more than the limit shows that there are more. */
export async function findWindows(
  em: EntityManager,
  teamId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<MaintenanceWindow[]> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from monitors.maintenance
     where team_id = ? and next_until is not null and (?::text is null or id < ?) order by id desc limit ?`,
    [teamId, before ?? null, before ?? null, limit + 1],
  );
  return rows.map(windowOf);
}

/** Counts the windows of a team that have not ended. */
export async function countWindows(tx: EntityManager, teamId: string): Promise<number> {
  const [row]: { count: number }[] = await tx.execute(
    "select count(*)::int as count from monitors.maintenance where team_id = ? and next_until is not null",
    [teamId],
  );
  return row?.count ?? 0;
}

/** Returns the windows that applied to a monitor at some time of the last days. */
export async function findWindowsOf(
  em: EntityManager,
  { teamId, monitorId, days }: { teamId: string; monitorId: string; days: number },
): Promise<MaintenanceWindow[]> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from monitors.maintenance where team_id = ?
       and (monitor_ids is null or jsonb_exists(monitor_ids, ?))
       and (ended_at is null or ended_at > now() - make_interval(days => ?)) order by id`,
    [teamId, monitorId, days],
  );
  return rows.map(windowOf);
}

/** Returns the title and the end of each monitor's current maintenance. */
export function findCurrent(
  em: EntityManager,
  monitorIds: string[],
): Promise<{ monitorId: string; title: string; mode: MaintenanceMode; until: string | Date }[]> {
  return em.execute(
    `select distinct on (m.id) m.id as "monitorId", w.title, w.mode, w.next_until as until
     from monitors.monitor m join monitors.maintenance w on w.team_id = m.team_id
       and w.next_from <= now() and w.next_until > now()
       and (w.monitor_ids is null or jsonb_exists(w.monitor_ids, m.id))
     where m.id in (select jsonb_array_elements_text(?::jsonb)) order by m.id, w.next_until desc`,
    [JSON.stringify(monitorIds)],
  );
}

/** Ends a window now. @returns whether it had not ended */
export async function endWindow(em: EntityManager, teamId: string, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update monitors.maintenance set ended_at = now(), next_from = null, next_until = null
     where id = ? and team_id = ? and next_until is not null returning id`,
    [id, teamId],
  );
  return rows.length === 1;
}

/** Restarts the wait for results of monitors that had no checks in the window's current or last occurrence. */
export async function restartWaits(em: EntityManager, windowId: string): Promise<void> {
  await em.execute(
    `update monitors.monitor m set scheduled_since = now() from monitors.maintenance w
     where w.id = ? and w.mode = 'pause' and w.next_from <= now() and m.team_id = w.team_id
       and (w.monitor_ids is null or jsonb_exists(w.monitor_ids, m.id))`,
    [windowId],
  );
}

/** Returns windows whose occurrence is over, then those that end within a time. */
export async function findEnding(
  em: EntityManager,
  seconds: number,
  limit: number,
): Promise<{ id: string; schedule: MaintenanceSchedule; until: Date; isOver: boolean }[]> {
  const rows: { id: string; schedule: MaintenanceSchedule; until: string | Date; isOver: boolean }[] =
    await em.execute(
      `select id, schedule, next_until as until, next_until <= now() as "isOver" from monitors.maintenance
       where next_until <= now() + make_interval(secs => ?) order by next_until limit ?`,
      [seconds, limit],
    );
  return rows.map(row => ({ ...row, until: new Date(row.until) }));
}

/** Extends a window's active occurrence, unless another node did. */
export async function extendOccurrence(
  em: EntityManager,
  id: string,
  { from, until }: Occurrence,
): Promise<void> {
  await em.execute(
    `update monitors.maintenance set next_until = ?::timestamptz
     where id = ? and next_from <= now() and next_until > now() and next_until >= ?::timestamptz
       and next_until < ?::timestamptz`,
    [until, id, from, until],
  );
}

/** Sets a window's next occurrence, unless another node did. Without one, the window has ended. */
export async function setNext(em: EntityManager, id: string, next: Occurrence | null): Promise<void> {
  await em.execute(
    `update monitors.maintenance set next_from = ?::timestamptz, next_until = ?::timestamptz,
       ended_at = case when ?::timestamptz is null then next_until end
     where id = ? and next_until <= now()`,
    [next?.from ?? null, next?.until ?? null, next?.until ?? null, id],
  );
}

/** Deletes all windows of a team. */
export async function deleteTeamWindows(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from monitors.maintenance where team_id = ?", [teamId]);
}

/** Deletes windows that ended longer ago than any chart shows, and ended ones of teams without monitors. */
export async function deleteOldWindows(em: EntityManager, days: number): Promise<void> {
  await em.execute(
    `delete from monitors.maintenance w where ended_at < now() - make_interval(days => ?)
       or not exists (select from monitors.team t where t.id = w.team_id)`,
    [days],
  );
}

function windowOf({ nextFrom, nextUntil, createdAt, endedAt, ...row }: Row): MaintenanceWindow {
  const next =
    nextFrom === null || nextUntil === null ? null : { from: new Date(nextFrom), until: new Date(nextUntil) };
  return {
    ...row,
    next,
    createdAt: new Date(createdAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
  };
}
