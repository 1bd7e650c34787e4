import { leaseRows } from "../../../mixins/database/lease-rows.ts";
import type { EntityManager } from "../../../mixins/database.ts";
import { type Check, CheckEntity } from "./check.entity.ts";
import { findChecks } from "./check.store.ts";

/** Leases running checks that no node worked on for a while, oldest first. */
export function leaseStale(em: EntityManager, ms: number, limit: number): Promise<Check[]> {
  return leaseChecks(em, "ended_at is null", ms, limit);
}

/** Leases checks whose confirmation run is due. It waits for the given time after the run before it. */
export function leaseConfirmations(em: EntityManager, ms: number, limit: number): Promise<Check[]> {
  return leaseChecks(em, "ended_at is null and submitted_at is null and attempt_results <> '[]'", ms, limit);
}

/**
 * Returns a monitor's unreported checks in the order in which they ended. Marks older ones as reported if a later
 * check says something about the site.
 */
export async function selectUnreported(em: EntityManager, monitorId: string, ms: number): Promise<Check[]> {
  const rows: { id: string }[] = await em.execute(
    `with unreported as (
       select c.id, c.ended_at, c.ended_at < now() - make_interval(secs => ?)
         and exists (select from monitors.check n where n.monitor_id = c.monitor_id
           and n.ended_at > c.ended_at and n.outcome <> 'failed') as late
       from monitors.check c where c.monitor_id = ? and c.ended_at is not null and c.reported_at is null
     ), dropped as (
       update monitors.check set reported_at = now(), regressions = '[]'
       where id in (select id from unreported where late)
     )
     select id from unreported where not late`,
    [ms / 1_000, monitorId],
  );
  const checks = await findChecks(
    em,
    rows.map(row => row.id),
  );
  return checks.toSorted((a, b) => endOf(a) - endOf(b));
}

/** Leases checks that ended a while ago and were not reported. */
export function leaseUnreported(em: EntityManager, ms: number, limit: number): Promise<Check[]> {
  return leaseChecks(em, "ended_at is not null and reported_at is null", ms, limit);
}

/** Notes that a node works on a running check. */
export async function touchCheck(em: EntityManager, id: string): Promise<void> {
  await em.execute("update monitors.check set touched_at = now() where id = ? and ended_at is null", [id]);
}

async function leaseChecks(em: EntityManager, which: string, ms: number, limit: number): Promise<Check[]> {
  const rows: { id: string }[] = await em.execute(
    leaseRows({
      table: "monitors.check",
      set: "touched_at = now()",
      where: `${which} and touched_at < now() - make_interval(secs => ?)`,
      orderBy: "touched_at",
    }),
    [ms / 1_000, limit],
  );
  const ids = rows.map(row => row.id);
  return ids.length === 0 ? [] : em.find(CheckEntity, { id: { $in: ids } }, { orderBy: { id: "asc" } });
}

function endOf({ endedAt }: Check): number {
  return endedAt?.getTime() ?? 0;
}

/** Returns the ids of checks that started longer ago than this, by the database's clock. */
export async function findOverdue(em: EntityManager, ids: string[], ms: number): Promise<Set<string>> {
  const rows: { id: string }[] = await em.execute(
    "select id from monitors.check where id in (?) and started_at < now() - make_interval(secs => ?)",
    [ids, ms / 1_000],
  );
  return new Set(rows.map(row => row.id));
}

/** Records that a check was reported, or needs no report. */
export async function markReported(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    "update monitors.check set reported_at = now(), regressions = '[]' where id = ? and reported_at is null",
    [id],
  );
}
