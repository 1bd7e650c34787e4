import { LockMode, raw } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { Check } from "../checks/check.entity.ts";
import { type Monitor, MonitorEntity } from "./monitor.entity.ts";
import { NEXT_TURN } from "./team.store.ts";

/** Queries of monitors. */

/** The first check of a new monitor is due within a minute, and not at one moment for all that are made at once. */
const FIRST_WITHIN_SECONDS = 60;

/** What a monitor is made of; the rest is how every one begins. */
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
  | "paused"
  | "phase"
  | "createdBy"
>;

/** Adds a monitor that is due soon, should it be scheduled. */
export async function insertMonitor(tx: EntityManager, monitor: NewMonitor): Promise<void> {
  await tx.insert(MonitorEntity, {
    ...monitor,
    hold: null,
    generation: 1,
    status: "never",
    look: null,
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

/** A monitor whatever its team, a deleted one too. */
export function findAnyMonitor(em: EntityManager, id: string): Promise<Monitor | null> {
  return em.findOne(MonitorEntity, { id });
}

/** A monitor that nobody else changes until the transaction ends. */
export function lockMonitor(tx: EntityManager, teamId: string, id: string): Promise<Monitor | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
  return tx.findOne(MonitorEntity, { id, teamId, deletedAt: null }, options);
}

/** A team's monitors, newest first, one more than the limit when there are more. */
export function listMonitors(
  em: EntityManager,
  teamId: string,
  { limit, before }: { limit: number; before?: string },
): Promise<Monitor[]> {
  const where = { teamId, deletedAt: null, ...(before !== undefined && { id: { $lt: before } }) };
  return em.find(MonitorEntity, where, { orderBy: { id: "desc" }, limit: limit + 1 });
}

export function countMonitors(em: EntityManager, teamId: string): Promise<number> {
  return em.count(MonitorEntity, { teamId, deletedAt: null });
}

/**
 * Takes a monitor's turn to send samples: so many at first, then one in so many seconds, however many ask at once.
 * @returns null to the caller who has it; to others after how many seconds it can be taken
 */
export async function claimTest(
  em: EntityManager,
  id: string,
  { atFirst, everySeconds }: { atFirst: number; everySeconds: number },
): Promise<number | null> {
  // When the samples so far would have been sent, had they been one in so many seconds.
  const ahead = (atFirst - 1) * everySeconds;
  const claimed: object[] = await em.execute(
    `update monitors.monitor set tested_at = greatest(tested_at, now()) + make_interval(secs => ?)
     where id = ? and (tested_at is null or tested_at <= now() + make_interval(secs => ?))
     returning id`,
    [everySeconds, id, ahead],
  );
  if (claimed.length === 1) return null;
  const rows: { seconds: number }[] = await em.execute(
    `select ceil(extract(epoch from tested_at - now())::float8 - ?)::int as seconds
     from monitors.monitor where id = ?`,
    [ahead, id],
  );
  return Math.max(rows[0]?.seconds ?? 1, 1);
}

/**
 * Marks a monitor as deleted, with its channels' and headers' secrets gone at once, but for the key with which its incident is yet to
 * be closed. @returns what it was called, to the one caller who did
 */
export async function markDeleted(tx: EntityManager, teamId: string, id: string): Promise<string | null> {
  const monitor = await lockMonitor(tx, teamId, id);
  if (!monitor) return null;
  const { pagerduty } = monitor.channels;
  const channels = pagerduty === undefined ? {} : { pagerduty };
  await tx.nativeUpdate(
    MonitorEntity,
    { id },
    { deletedAt: raw("now()"), nextAt: null, options: {}, channels },
  );
  return monitor.name;
}

/** Marks all of a team's monitors as deleted. */
export async function markTeamDeleted(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    `update monitors.monitor set deleted_at = now(), next_at = null, channels = '{}', options = '{}'
     where team_id = ? and deleted_at is null`,
    [teamId],
  );
}

/** Monitors that are only there to be removed. */
export function findDeleted(em: EntityManager, limit: number): Promise<Monitor[]> {
  return em.find(MonitorEntity, { deletedAt: { $ne: null } }, { orderBy: { id: "asc" }, limit });
}

/** Removes a deleted monitor of which there are no checks any more. */
export async function removeMonitor(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(MonitorEntity, { id, deletedAt: { $ne: null } });
}

/** Puts right turns that lie further ahead than any can: the database's clock was set back. */
export async function bringBackTurns(em: EntityManager): Promise<void> {
  await em.execute(
    `update monitors.monitor m set next_at = ${NEXT_TURN}
     where next_at is not null and next_at > now() + make_interval(mins => m.interval_minutes, secs => 120)`,
  );
}

/** What a check found to look different was approved, all of it: where it was the last check, all is well. */
export async function markApproved(
  em: EntityManager,
  { id, monitorId }: Pick<Check, "id" | "monitorId">,
): Promise<void> {
  await em.nativeUpdate(
    MonitorEntity,
    { id: monitorId, lastCheckId: id, status: "changed" },
    { status: "ok", look: null },
  );
}

/**
 * Something of what looked different was approved: whether all is well now, the next check finds out, which is due at
 * once where there is a schedule. One that is under way finds it out itself.
 */
export async function bringForward(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    `update monitors.monitor set next_at = now()
     where id = ? and status = 'changed' and check_id is null and next_at > now()`,
    [id],
  );
}
