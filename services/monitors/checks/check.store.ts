import { raw } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { CheckKind } from "../../../shared/contracts/monitors/checks.ts";
import { inMaintenance } from "../maintenance/maintenance.store.ts";
import { NEXT_SCHEDULED_AT } from "../settings/team.store.ts";
import type { RouteAvailability } from "./availability.rule.ts";
import { type Check, CheckEntity } from "./check.entity.ts";
import type { CheckResult, Drift, PageResult } from "./evaluate-check.rule.ts";

/** SQL for the project of a monitor's row, the same as projectOf in shared/monitor-project.ts. */
const PROJECT = (row: string) =>
  `'monitor/' || ${row}.id || case when ${row}.generation > 1 then '/' || ${row}.generation else '' end`;

/** SQL for whether the site was up in a check. */
const IS_UP = "outcome in ('established', 'ok', 'changed')";

/** SQL that inserts a check for each `reserved` monitor. The id of its first run is derived from its own. */
const newCheck = (kind: CheckKind) => `
  insert into monitors.check (id, monitor_id, team_id, kind, target, attempt, run_id, latest_run_id, attempt_results,
    started_at, touched_at, drift, regressions, in_maintenance)
  select c.check_id, c.id, c.team_id, '${kind}', jsonb_build_object('name', c.name, 'url', c.url, 'routes', c.routes,
      'viewports', c.viewports, 'threshold', c.alert_threshold, 'options', c.options, 'regions', c.regions,
      'agree', c.agree,
      'project', ${PROJECT("c")}),
    1, 'run_' || substr(c.check_id, 5), 'run_' || substr(c.check_id, 5), '[]', now(), now(), '[]', '[]', ${inMaintenance("c", null)}
  from reserved c
  returning id`;

/**
 * Starts checks of due monitors, at most one per given id. It is one statement, so that two nodes get different
 * monitors. A monitor that missed several times gets one check.
 * @returns the checks that were started
 */
export async function startDueChecks(em: EntityManager, ids: string[]): Promise<Check[]> {
  const rows: { id: string }[] = await em.execute(
    `with due as (
       select m.id from monitors.monitor m where m.next_at <= now() and m.check_id is null
         and not ${inMaintenance("m", "pause")}
       order by m.next_at limit ? for update of m skip locked
     ), numbered as (
       select id, row_number() over () as place from due
     ), reserved as (
       update monitors.monitor m set check_id = i.id, next_at = ${NEXT_SCHEDULED_AT}
       from numbered p join jsonb_array_elements_text(?::jsonb) with ordinality as i (id, place) on i.place = p.place
       where m.id = p.id returning m.*
     ) ${newCheck("scheduled")}`,
    [ids.length, JSON.stringify(ids)],
  );
  return rows.length === 0
    ? []
    : findChecks(
        em,
        rows.map(row => row.id),
      );
}

/** Returns for how long the monitor that waits longest has been due, in seconds. 0 without due monitors. */
export async function measureOverdue(em: EntityManager): Promise<number> {
  const [row]: { seconds: number }[] = await em.execute(
    `select coalesce(extract(epoch from now() - min(next_at)), 0)::float8 as seconds
     from monitors.monitor m where next_at <= now() and check_id is null and not ${inMaintenance("m", "pause")}`,
  );
  return row?.seconds ?? 0;
}

/** Starts a check by hand. @returns null if a check is running */
export async function startManualCheck(
  em: EntityManager,
  monitorId: string,
  checkId: string,
): Promise<Check | null> {
  await em.execute(
    `with reserved as (
       update monitors.monitor set check_id = ? where id = ? and check_id is null and deleted_at is null
       returning *
     ) ${newCheck("manual")}`,
    [checkId, monitorId],
  );
  return em.findOne(CheckEntity, { id: checkId, monitorId });
}

/**
 * Deletes a check whose first run was not accepted. If the monitor became due meanwhile, its scheduled check
 * starts now.
 */
export async function withdrawCheck(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    `with withdrawn as (
       delete from monitors.check where id = ? and attempt = 1 and submitted_at is null and ended_at is null
       returning id, monitor_id
     )
     update monitors.monitor m set check_id = null from withdrawn w where m.id = w.monitor_id and m.check_id = w.id`,
    [id],
  );
}

export function findChecks(em: EntityManager, ids: string[]): Promise<Check[]> {
  return em.find(CheckEntity, { id: { $in: ids } });
}

/** Returns the check that waits for this run. */
export function findWaiting(em: EntityManager, runId: string): Promise<Check | null> {
  return em.findOne(CheckEntity, { latestRunId: runId, endedAt: null });
}

/** Returns a monitor's checks, newest first. One more than the limit shows that there are more. */
export function listChecks(
  em: EntityManager,
  monitorId: string,
  { limit, before }: { limit: number; before?: string },
): Promise<Check[]> {
  const where = { monitorId, ...(before !== undefined && { id: { $lt: before } }) };
  return em.find(CheckEntity, where, { orderBy: { id: "desc" }, limit: limit + 1 });
}

/** Records that these runs were accepted. */
export async function markSubmitted(em: EntityManager, runIds: string[]): Promise<void> {
  await em.execute("update monitors.check set submitted_at = now() where latest_run_id in (?)", [runIds]);
}

/**
 * Starts the next attempt of a check, once. Without earlier results it covers all pages again.
 * @returns whether this call started it
 */
export async function startAttempt(
  em: EntityManager,
  { id, attempt }: Pick<Check, "id" | "attempt">,
  next: { runId: string; attemptResults: PageResult[][]; retries: number },
): Promise<boolean> {
  const updated = await em.nativeUpdate(
    CheckEntity,
    { id, attempt, endedAt: null },
    {
      attempt: attempt + 1,
      latestRunId: next.runId,
      ...(next.attemptResults.length === 0 && { runId: next.runId }),
      attemptResults: next.attemptResults,
      retries: next.retries,
      submittedAt: null,
      touchedAt: raw("now()"),
    },
  );
  return updated === 1;
}

/** The result that ends a check. */
export type Ending = Omit<CheckResult, "establish"> & {
  /** Digest of the changed pages. Null if none changed. */
  changedDigest: string | null;
  /** What it says about each route's uptime. */
  availability: RouteAvailability[];
};

/**
 * Ends a check, once, and updates its monitor. A failed check does not change the monitor's status. Neither does a
 * check of a previous URL. If the monitor became due during the check, that time is skipped.
 * @returns whether this call ended it
 */
export async function endCheck(em: EntityManager, id: string, ending: Ending): Promise<boolean> {
  const { outcome, error, drift, regressions, downRoutes, changedDigest, availability } = ending;
  const rows: object[] = await em.execute(
    `with ended as (
       update monitors.check set outcome = ?, error = ?, drift = ?::jsonb, worst = ?, regressions = ?::jsonb,
         down_routes = ?::jsonb, attempt_results = '[]', target = target - 'options', ended_at = now(), touched_at = now(),
         in_maintenance = in_maintenance or exists (select from monitors.monitor m
           where m.id = monitors.check.monitor_id and ${inMaintenance("m", null)}),
         reported_at = case when ? = 'failed' then now() end
       where id = ? and ended_at is null returning id, monitor_id, outcome, target, started_at, in_maintenance
     ), found as (
       select e.*, ?::text as changed_digest, e.outcome <> 'failed' and e.target ->> 'project' = ${PROJECT("m")} as counts
       from ended e join monitors.monitor m on m.id = e.monitor_id
     ), summed as (
       insert into monitors.availability as a (monitor_id, generation, unit, at, route, up, down, responses,
         response_ms, slowest_ms)
       select f.monitor_id, m.generation, u.unit, date_trunc(u.unit, f.started_at at time zone 'UTC') at time zone 'UTC',
         v.route, v.up, v.down, v.responses, v."responseMs", v."responseMs"
       from found f join monitors.monitor m on m.id = f.monitor_id and f.counts and not f.in_maintenance, (values ('hour'), ('day')) as u (unit),
         jsonb_to_recordset(?::jsonb) as v (route text, up int, down int, responses int, "responseMs" int)
       on conflict (monitor_id, unit, at, route, generation) do update set up = a.up + excluded.up,
         down = a.down + excluded.down, responses = a.responses + excluded.responses,
         response_ms = a.response_ms + excluded.response_ms, slowest_ms = greatest(a.slowest_ms, excluded.slowest_ms)
     ), updated as (
       update monitors.monitor m set check_id = null, last_check_id = t.id,
         next_at = case when m.next_at <= now() then ${NEXT_SCHEDULED_AT} else m.next_at end,
         status = case when not t.counts then m.status when t.outcome = 'established' then 'ok' else t.outcome end,
         changed_digest = case when t.counts and t.outcome <> 'down' then t.changed_digest else m.changed_digest end,
         last_result_at = case when t.outcome <> 'failed' then now() else m.last_result_at end,
         last_change_at = case when t.counts and t.changed_digest is not null and t.changed_digest is distinct from m.changed_digest
           then now() else m.last_change_at end,
         checks_up = m.checks_up + case when ${IS_UP} and not t.in_maintenance then 1 else 0 end,
         checks_down = m.checks_down + case when t.outcome = 'down' and not t.in_maintenance then 1 else 0 end
       from found t where m.id = t.monitor_id
     )
     select id from ended`,
    [
      outcome,
      error,
      JSON.stringify(drift),
      largestOf(drift),
      JSON.stringify(regressions),
      JSON.stringify(downRoutes),
      outcome,
      id,
      changedDigest,
      JSON.stringify(availability),
    ],
  );
  return rows.length === 1;
}

/** Returns the largest difference. Null if nothing was compared. */
function largestOf(drift: Drift[]): number | null {
  const ratios = drift.flatMap(({ ratio }) => ratio ?? []);
  return ratios.length === 0 ? null : Math.max(...ratios);
}

/**
 * Deletes a team's checks that are older than the plan's retention, oldest first. @returns the number of deleted
 * checks
 */
export async function deleteOldChecks(em: EntityManager, teamId: string, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `with old as (
       select c.id from monitors.check c join monitors.team t on t.id = c.team_id
       where c.team_id = ? and c.ended_at < now() - make_interval(days => t.retention_days)
       order by c.ended_at limit ?
     ), gone as (
       delete from monitors.check where id in (select id from old) returning id, monitor_id, outcome, in_maintenance
     ), sums as (
       select monitor_id, count(*) filter (where ${IS_UP})::int as up,
         count(*) filter (where outcome = 'down')::int as down
       from gone where not in_maintenance group by monitor_id
     ), counted as (
       update monitors.monitor m set checks_up = m.checks_up - s.up, checks_down = m.checks_down - s.down
       from sums s where m.id = s.monitor_id
     )
     select id from gone`,
    [teamId, limit],
  );
  return rows.length;
}

/** Deletes checks of a monitor. @returns the number of deleted checks */
export async function deleteChecks(em: EntityManager, monitorId: string, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from monitors.check where id in (select id from monitors.check where monitor_id = ? limit ?)
     returning id`,
    [monitorId, limit],
  );
  return rows.length;
}
