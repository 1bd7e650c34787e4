import { LockMode, raw } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { MonitorsQuery } from "../../../shared/contracts/monitors/monitors.ts";
import type { Check } from "../checks/check.entity.ts";
import { type Monitor, MonitorEntity } from "./monitor.entity.ts";
import { NEXT_SCHEDULED_AT } from "./team.store.ts";

/**
 * A new monitor's first check is due within a minute. Monitors that are created together are due at different
 * times.
 */
const FIRST_WITHIN_SECONDS = 60;

/** The fields of a new monitor. The others have initial values. */
export type NewMonitor = Pick<
  Monitor,
  | "id"
  | "teamId"
  | "name"
  | "url"
  | "routes"
  | "viewports"
  | "intervalMinutes"
  | "alertThreshold"
  | "channels"
  | "options"
  | "regions"
  | "agree"
  | "http"
  | "paused"
  | "tags"
  | "phase"
  | "createdBy"
>;

/** Inserts a monitor that is due soon if it is scheduled. */
export async function insertMonitor(tx: EntityManager, monitor: NewMonitor): Promise<void> {
  await tx.insert(MonitorEntity, {
    ...monitor,
    badgeToken: null,
    hold: null,
    generation: 1,
    status: "never",
    changedDigest: null,
    lastChangeAt: null,
    checksUp: 0,
    checksDown: 0,
    nextAt: monitor.paused
      ? null
      : raw("now() + make_interval(secs => ?)", [monitor.phase * FIRST_WITHIN_SECONDS]),
    checkId: null,
    lastCheckId: null,
    createdAt: raw("clock_timestamp()"),
    deletedAt: null,
  });
}

export function findMonitor(em: EntityManager, teamId: string, id: string): Promise<Monitor | null> {
  return em.findOne(MonitorEntity, { id, teamId, deletedAt: null });
}

/** Returns a monitor of any team, also a deleted one. */
export function findAnyMonitor(em: EntityManager, id: string): Promise<Monitor | null> {
  return em.findOne(MonitorEntity, { id });
}

/** Returns a monitor and locks it until the transaction ends. */
export function lockMonitor(tx: EntityManager, teamId: string, id: string): Promise<Monitor | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
  return tx.findOne(MonitorEntity, { id, teamId, deletedAt: null }, options);
}

/** Returns a team's monitors, newest first. One more than the limit shows that there are more. */
export async function listMonitors(
  em: EntityManager,
  teamId: string,
  { limit, before, filter }: { limit: number; before?: string; filter: MonitorFilter },
): Promise<Monitor[]> {
  const { tag, find, status } = filter;
  const conditions = [
    ...(before === undefined ? [] : [{ sql: "id < ?", params: [before] }]),
    ...(tag === undefined ? [] : [{ sql: "jsonb_exists(tags, ?)", params: [tag] }]),
    ...(status === undefined ? [] : [{ sql: "status = ?", params: [status] }]),
    ...(find === undefined
      ? []
      : [{ sql: "(name ilike ? or url ilike ?)", params: [like(find), like(find)] }]),
  ];
  const rows: { id: string }[] = await em.execute(
    `select id from monitors.monitor where team_id = ? and deleted_at is null
       ${conditions.map(({ sql }) => `and ${sql}`).join(" ")} order by id desc limit ?`,
    [teamId, ...conditions.flatMap(({ params }) => params), limit + 1],
  );
  const ids = rows.map(({ id }) => id);
  return em.find(MonitorEntity, { id: { $in: ids } }, { orderBy: { id: "desc" } });
}

/** Which monitors a list has. */
export type MonitorFilter = Pick<MonitorsQuery, "tag" | "find" | "status">;

/** Returns the pattern of texts that contain this one. */
function like(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** Returns those of these monitors that a team has. */
export function findMonitorsOf(em: EntityManager, teamId: string, ids: string[]): Promise<Monitor[]> {
  return em.find(MonitorEntity, { id: { $in: ids }, teamId, deletedAt: null });
}

/** Returns a monitor by the secret part of its badge's URL. */
export function findByBadge(em: EntityManager, badgeToken: string): Promise<Monitor | null> {
  return em.findOne(MonitorEntity, { badgeToken, deletedAt: null });
}

/** Sets the secret part of a badge's URL. Null deletes the badge. */
export async function setBadge(em: EntityManager, id: string, badgeToken: string | null): Promise<void> {
  await em.nativeUpdate(MonitorEntity, { id }, { badgeToken });
}

export function countMonitors(em: EntityManager, teamId: string): Promise<number> {
  return em.count(MonitorEntity, { teamId, deletedAt: null });
}

/**
 * Reserves a test alert of a monitor: a burst at first, then one per interval, for all callers together.
 * @returns null if the caller may send. Otherwise the seconds until a test alert is possible
 */
export async function reserveTest(
  em: EntityManager,
  id: string,
  { burst, intervalSeconds }: { burst: number; intervalSeconds: number },
): Promise<number | null> {
  // Time at which the tests so far would have been sent at one per interval.
  const ahead = (burst - 1) * intervalSeconds;
  const reserved: object[] = await em.execute(
    `update monitors.monitor set tested_at = greatest(tested_at, now()) + make_interval(secs => ?)
     where id = ? and (tested_at is null or tested_at <= now() + make_interval(secs => ?))
     returning id`,
    [intervalSeconds, id, ahead],
  );
  if (reserved.length === 1) return null;
  const rows: { seconds: number }[] = await em.execute(
    `select ceil(extract(epoch from tested_at - now())::float8 - ?)::int as seconds
     from monitors.monitor where id = ?`,
    [ahead, id],
  );
  return Math.max(rows[0]?.seconds ?? 1, 1);
}

/**
 * Marks a monitor as deleted, and removes its secrets at once. Only the keys of incident services stay until the
 * incidents are closed.
 * @returns the monitor's name for the one call that deleted it. Otherwise null
 */
export async function markDeleted(tx: EntityManager, teamId: string, id: string): Promise<string | null> {
  const monitor = await lockMonitor(tx, teamId, id);
  if (!monitor) return null;
  const { pagerduty, incidents } = monitor.channels;
  const channels = { ...(pagerduty !== undefined && { pagerduty }), ...(incidents && { incidents }) };
  await tx.nativeUpdate(
    MonitorEntity,
    { id },
    { deletedAt: raw("now()"), nextAt: null, options: {}, channels },
  );
  return monitor.name;
}

/** Marks all monitors of a team as deleted, one after another, because their channels are encrypted. */
export async function markTeamDeleted(em: EntityManager, teamId: string): Promise<void> {
  const rows: { id: string }[] = await em.execute(
    "select id from monitors.monitor where team_id = ? and deleted_at is null",
    [teamId],
  );
  for (const { id } of rows) await em.transactional(tx => markDeleted(tx, teamId, id));
}

/** Returns monitors after an id that were deleted and whose data is still stored. */
export function findDeleted(
  em: EntityManager,
  { after, limit }: { after: string; limit: number },
): Promise<Monitor[]> {
  const where = { id: { $gt: after }, deletedAt: { $ne: null } };
  return em.find(MonitorEntity, where, { orderBy: { id: "asc" }, limit });
}

/** Removes a deleted monitor that has no checks anymore. */
export async function removeMonitor(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(MonitorEntity, { id, deletedAt: { $ne: null } });
}

/** Fixes schedule times that are further ahead than any interval, because the database's clock was set back. */
export async function fixScheduledTimes(em: EntityManager): Promise<void> {
  await em.execute(
    `update monitors.monitor m set next_at = ${NEXT_SCHEDULED_AT}
     where next_at is not null and next_at > now() + make_interval(mins => m.interval_minutes, secs => 120)`,
  );
}

/** Records that all changes of a check were approved. If it was the last check, the monitor is ok again. */
export async function markApproved(
  em: EntityManager,
  { id, monitorId }: Pick<Check, "id" | "monitorId">,
): Promise<void> {
  await em.nativeUpdate(
    MonitorEntity,
    { id: monitorId, lastCheckId: id, status: "changed" },
    { status: "ok", changedDigest: null },
  );
}

/**
 * Schedules a changed monitor's next check for now, after some of its changes were approved. A running check finds
 * the approval by itself.
 */
export async function scheduleNow(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    `update monitors.monitor set next_at = now()
     where id = ? and status = 'changed' and check_id is null and next_at > now()`,
    [id],
  );
}
