import type { EntityManager } from "../../../mixins/database.ts";
import type { HttpResult } from "../../../shared/contracts/monitors/http-checks.ts";
import { inMaintenance } from "../maintenance/maintenance.store.ts";
import type { Monitor } from "../settings/monitor.entity.ts";

/**
 * Leases monitors whose HTTP check is due. Monitors that are not scheduled, or in maintenance that stops checks, are left
 * out. Concurrent calls of several nodes get different ones. A node that stops skips the check of one interval.
 */
export async function leaseHttpChecks(em: EntityManager, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `insert into monitors.http_check as h (monitor_id, leased_at)
     select m.id, now() from monitors.monitor m left join monitors.http_check k on k.monitor_id = m.id
     where m.http is not null and m.next_at is not null and m.deleted_at is null and not ${inMaintenance("m", "pause")}
       and (k.leased_at is null or k.leased_at <= now() - make_interval(mins => m.interval_minutes))
     order by k.leased_at nulls first limit ?
     on conflict (monitor_id) do update set leased_at = now()
       where h.leased_at <= now() - make_interval(mins => (
         select interval_minutes from monitors.monitor where id = h.monitor_id))
     returning monitor_id as id`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** The state of a monitor's HTTP check. */
export interface HttpCheckState {
  monitorId: string;
  result: HttpResult;
  since: Date;
  /** Whether a failure is alerted. Null if the answer to the last report isn't known. */
  isAlerted: boolean | null;
}

type Row = Omit<HttpCheckState, "since"> & { since: string | Date };

/** Finds the states of checks that have a result. */
export async function findHttpStates(em: EntityManager, monitorIds: string[]): Promise<HttpCheckState[]> {
  const rows: Row[] = await em.execute(
    `select monitor_id as "monitorId", last_result as result, since, alerted as "isAlerted"
     from monitors.http_check
     where monitor_id in (select jsonb_array_elements_text(?::jsonb)) and last_result is not null`,
    [JSON.stringify(monitorIds)],
  );
  return rows.map(row => ({ ...row, since: new Date(row.since) }));
}

/** Saves a result with its history. @returns the state after it. Null if the monitor checks something else meanwhile */
export async function saveHttpResult(
  em: EntityManager,
  { id, generation, routes, http }: Pick<Monitor, "id" | "generation" | "routes" | "http">,
  result: HttpResult,
): Promise<Pick<HttpCheckState, "isAlerted" | "since"> | null> {
  const json = JSON.stringify(result);
  const rows: Pick<Row, "isAlerted" | "since">[] = await em.execute(
    `with checked as (
       select id from monitors.monitor
       where id = ? and deleted_at is null and generation = ? and routes = ?::jsonb and http = ?::jsonb
     ), saved as (
       update monitors.http_check h set last_result = ?::jsonb,
         since = case when last_result ->> 'outcome' = ? then since else ?::timestamptz end
       from checked where h.monitor_id = checked.id returning monitor_id, alerted, since
     ), kept as (
       insert into monitors.http_result (monitor_id, at, result)
       select monitor_id, ?::timestamptz, ?::jsonb from saved
     )
     select alerted as "isAlerted", since from saved`,
    [
      ...[id, generation, JSON.stringify(routes), JSON.stringify(http)],
      ...[json, result.outcome, result.at, result.at, json],
    ],
  );
  const [row] = rows;
  return row ? { isAlerted: row.isAlerted, since: new Date(row.since) } : null;
}

/** Records whether a failure is alerted. Null before a report, whose answer can get lost. @returns false if the check was turned off meanwhile */
export async function saveHttpAlerted(
  em: EntityManager,
  monitorId: string,
  isAlerted: boolean | null,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    "update monitors.http_check set alerted = ? where monitor_id = ? returning monitor_id",
    [isAlerted, monitorId],
  );
  return rows.length === 1;
}

/** Makes a monitor's HTTP check due, because it checks something else from now on. */
export async function makeHttpCheckDue(em: EntityManager, monitorId: string): Promise<void> {
  await em.execute(
    "update monitors.http_check set leased_at = now() - interval '30 days' where monitor_id = ?",
    [monitorId],
  );
}

/** SQL for HTTP checks `h` of monitors that have none anymore. */
const STOPPED = "exists (select from monitors.monitor m where m.id = h.monitor_id and m.http is null)";

/** Returns the monitors whose HTTP check was turned off, and still has a state. */
export async function findStoppedHttpChecks(em: EntityManager, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select monitor_id as id from monitors.http_check h where ${STOPPED} order by monitor_id limit ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the state of an HTTP check, unless it was turned on again. */
export async function deleteStoppedHttpCheck(em: EntityManager, monitorId: string): Promise<void> {
  await em.execute(`delete from monitors.http_check h where monitor_id = ? and ${STOPPED}`, [monitorId]);
}

/** A result in the history. */
export interface StoredHttpResult {
  id: string;
  result: HttpResult;
}

/** Lists results, newest first. Returns one more than the limit if there are more. */
export function listHttpResults(
  em: EntityManager,
  monitorId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<StoredHttpResult[]> {
  return em.execute(
    `select id::text as id, result from monitors.http_result
     where monitor_id = ? ${before === undefined ? "" : "and id < ?::bigint"} order by id desc limit ?`,
    [monitorId, ...(before === undefined ? [] : [before]), limit + 1],
  );
}

/** Deletes results of a team that its plan no longer keeps. @returns the number of deleted results */
export async function deleteOldHttpResults(
  em: EntityManager,
  teamId: string,
  limit: number,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from monitors.http_result where id in (
       select r.id from monitors.monitor m join monitors.team t on t.id = m.team_id
         join monitors.http_result r on r.monitor_id = m.id
       where m.team_id = ? and r.at < now() - make_interval(days => t.retention_days) limit ?)
     returning 1 as one`,
    [teamId, limit],
  );
  return rows.length;
}
