import { raw } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { CheckKind } from "../../../shared/contracts/monitors/monitors.ts";
import { NEXT_TURN } from "../settings/team.store.ts";
import { type Check, CheckEntity } from "./check.entity.ts";
import type { Drift, Look, Verdict } from "./judge-check.rule.ts";

/** Queries of checks. */

/** As projectOf of baseline-project.ts has it, of a monitor's row. */
const PROJECT = (row: string) =>
  `'monitor/' || ${row}.id || case when ${row}.generation > 1 then '/' || ${row}.generation else '' end`;

/** The row of a check that begins, of a monitor `c`; its first run is named like it. */
const newCheck = (kind: CheckKind) => `
  insert into monitors.check (id, monitor_id, team_id, kind, target, attempt, run_id, latest_run_id, looks,
    started_at, touched_at, drift, regressions)
  select c.check_id, c.id, c.team_id, '${kind}', jsonb_build_object('name', c.name, 'url', c.url, 'routes', c.routes,
      'viewports', c.viewports, 'threshold', c.alert_threshold, 'options', c.options,
      'project', ${PROJECT("c")}),
    1, 'run_' || substr(c.check_id, 5), 'run_' || substr(c.check_id, 5), '[]', now(), now(), '[]', '[]'
  from claimed c
  returning id`;

/**
 * Begins the checks of monitors that are due, at most as many as there are ids for them: one statement, in which two
 * nodes that ask at once get different ones. A monitor that missed its turns has one, then its next.
 * @returns the checks that began
 */
export async function claimDue(em: EntityManager, ids: string[]): Promise<Check[]> {
  const rows: { id: string }[] = await em.execute(
    `with due as (
       select id from monitors.monitor where next_at <= now() and check_id is null
       order by next_at limit ? for update skip locked
     ), placed as (
       select id, row_number() over () as place from due
     ), claimed as (
       update monitors.monitor m set check_id = i.id, next_at = ${NEXT_TURN}
       from placed p join jsonb_array_elements_text(?::jsonb) with ordinality as i (id, place) on i.place = p.place
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

/** Begins a check by hand. @returns null where one is under way */
export async function beginManual(
  em: EntityManager,
  monitorId: string,
  checkId: string,
): Promise<Check | null> {
  await em.execute(
    `with claimed as (
       update monitors.monitor set check_id = ? where id = ? and check_id is null and deleted_at is null
       returning *
     ) ${newCheck("manual")}`,
    [checkId, monitorId],
  );
  return em.findOne(CheckEntity, { id: checkId, monitorId });
}

/** Undoes the beginning of a check whose first run was not accepted: a turn that came meanwhile is had now. */
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

/** The check that waits for this run. */
export function findWaiting(em: EntityManager, runId: string): Promise<Check | null> {
  return em.findOne(CheckEntity, { latestRunId: runId, endedAt: null });
}

/** A monitor's checks, newest first, one more than the limit when there are more. */
export function listChecks(
  em: EntityManager,
  monitorId: string,
  { limit, before }: { limit: number; before?: string },
): Promise<Check[]> {
  const where = { monitorId, ...(before !== undefined && { id: { $lt: before } }) };
  return em.find(CheckEntity, where, { orderBy: { id: "desc" }, limit: limit + 1 });
}

/** Notes that these runs were accepted. */
export async function markSubmitted(em: EntityManager, runIds: string[]): Promise<void> {
  await em.execute("update monitors.check set submitted_at = now() where latest_run_id in (?)", [runIds]);
}

/**
 * Lets a check begin its next attempt, once: another look, or, where there are none before it, the first again.
 * @returns whether this caller did
 */
export async function beginAttempt(
  em: EntityManager,
  { id, attempt }: Pick<Check, "id" | "attempt">,
  next: { runId: string; looks: Look[][]; retries: number },
): Promise<boolean> {
  const begun = await em.nativeUpdate(
    CheckEntity,
    { id, attempt, endedAt: null },
    {
      attempt: attempt + 1,
      latestRunId: next.runId,
      ...(next.looks.length === 0 && { runId: next.runId }),
      looks: next.looks,
      retries: next.retries,
      submittedAt: null,
      touchedAt: raw("now()"),
    },
  );
  return begun === 1;
}

/** How a check ends. */
export type Ending = Omit<Verdict, "establish"> & {
  /** Digest of the pages that look different; null for none. */
  look: string | null;
};

/**
 * Ends a check, once, and brings its monitor up to date: a failed check says nothing of the site, and neither does one
 * of an address that the monitor has no more. A turn that came while it was under way is skipped.
 * @returns whether this caller ended it
 */
export async function endCheck(em: EntityManager, id: string, ending: Ending): Promise<boolean> {
  const { outcome, error, drift, regressions, downRoutes, look } = ending;
  const rows: object[] = await em.execute(
    `with ended as (
       update monitors.check set outcome = ?, error = ?, drift = ?::jsonb, worst = ?, regressions = ?::jsonb,
         down_routes = ?::jsonb, looks = '[]', target = target - 'options', ended_at = now(), touched_at = now(), reported_at = case when ? = 'failed' then now() end
       where id = ? and ended_at is null returning id, monitor_id, outcome, target
     ), told as (
       select e.*, ?::text as look, e.outcome <> 'failed' and e.target ->> 'project' = ${PROJECT("m")} as counts
       from ended e join monitors.monitor m on m.id = e.monitor_id
     ), moved as (
       update monitors.monitor m set check_id = null, last_check_id = t.id,
         next_at = case when m.next_at <= now() then ${NEXT_TURN} else m.next_at end,
         status = case when not t.counts then m.status when t.outcome = 'established' then 'ok' else t.outcome end,
         look = case when t.counts and t.outcome <> 'down' then t.look else m.look end,
         last_change_at = case when t.counts and t.look is not null and t.look is distinct from m.look
           then now() else m.last_change_at end,
         checks_up = m.checks_up + case when t.outcome in ('established', 'ok', 'changed') then 1 else 0 end,
         checks_down = m.checks_down + case when t.outcome = 'down' then 1 else 0 end
       from told t where m.id = t.monitor_id
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
      look,
    ],
  );
  return rows.length === 1;
}

/** The largest difference; null where nothing was compared. */
function largestOf(drift: Drift[]): number | null {
  const ratios = drift.flatMap(({ ratio }) => ratio ?? []);
  return ratios.length === 0 ? null : Math.max(...ratios);
}

/** Checks that nobody has seen to for a while, to be seen to by this node; the oldest first. */
export function claimSilent(em: EntityManager, ms: number, limit: number): Promise<Check[]> {
  return claim(em, "ended_at is null", ms, limit);
}

/** Checks whose confirming run has waited for so long since the run before it ended, to be submitted by this node. */
export function claimConfirmations(em: EntityManager, ms: number, limit: number): Promise<Check[]> {
  return claim(em, "ended_at is null and submitted_at is null and looks <> '[]'", ms, limit);
}

/**
 * The checks of a monitor of which whoever alerts was not told, in the order of their ends. Those that ended longer ago
 * than that are taken for told, but for the last that says something of the site.
 */
export async function takeUnreported(em: EntityManager, monitorId: string, ms: number): Promise<Check[]> {
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

/** Checks that ended a while ago and of which whoever alerts was not told, to be told of by this node. */
export function claimUnreported(em: EntityManager, ms: number, limit: number): Promise<Check[]> {
  return claim(em, "ended_at is not null and reported_at is null", ms, limit);
}

async function claim(em: EntityManager, which: string, ms: number, limit: number): Promise<Check[]> {
  const rows: { id: string }[] = await em.execute(
    `update monitors.check set touched_at = now() where id in (
       select id from monitors.check where ${which} and touched_at < now() - make_interval(secs => ?)
       order by touched_at limit ? for update skip locked)
     returning id`,
    [ms / 1_000, limit],
  );
  const ids = rows.map(row => row.id);
  return ids.length === 0 ? [] : em.find(CheckEntity, { id: { $in: ids } }, { orderBy: { id: "asc" } });
}

function endOf({ endedAt }: Check): number {
  return endedAt?.getTime() ?? 0;
}

/** Those of these checks that began longer ago than that, by the database's clock. */
export async function findOverdue(em: EntityManager, ids: string[], ms: number): Promise<Set<string>> {
  const rows: { id: string }[] = await em.execute(
    "select id from monitors.check where id in (?) and started_at < now() - make_interval(secs => ?)",
    [ids, ms / 1_000],
  );
  return new Set(rows.map(row => row.id));
}

/** Notes that whoever alerts was told of a check, or need not be. */
export async function markReported(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    "update monitors.check set reported_at = now(), regressions = '[]' where id = ? and reported_at is null",
    [id],
  );
}

/** Deletes checks of a team that ended longer ago than its plan keeps them, the oldest first. @returns how many */
export async function deleteOldChecks(em: EntityManager, teamId: string, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `with old as (
       select c.id from monitors.check c join monitors.team t on t.id = c.team_id
       where c.team_id = ? and c.ended_at < now() - make_interval(days => t.retention_days)
       order by c.ended_at limit ?
     ), gone as (
       delete from monitors.check where id in (select id from old) returning id, monitor_id, outcome
     ), sums as (
       select monitor_id, count(*) filter (where outcome in ('established', 'ok', 'changed'))::int as up,
         count(*) filter (where outcome = 'down')::int as down from gone group by monitor_id
     ), counted as (
       update monitors.monitor m set checks_up = m.checks_up - s.up, checks_down = m.checks_down - s.down
       from sums s where m.id = s.monitor_id
     )
     select id from gone`,
    [teamId, limit],
  );
  return rows.length;
}

/** Deletes checks of a monitor. @returns how many */
export async function deleteChecks(em: EntityManager, monitorId: string, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from monitors.check where id in (select id from monitors.check where monitor_id = ? limit ?)
     returning id`,
    [monitorId, limit],
  );
  return rows.length;
}
