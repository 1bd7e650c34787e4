import type { EntityManager } from "../../../mixins/database.ts";
import { BOUNDS } from "../../../shared/contracts/capture/bounds.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { StoredStory } from "../../../shared/contracts/runs/stories.ts";
import { pageFields } from "../page-columns.ts";
import type { SharingRun, SlotShare } from "./share-slots.rule.ts";

/** Runs per project, oldest first. */
const RUNS_OF_A_PROJECT = 200;
/** The maximum of a job: a route in one environment, in all its viewports and states. */
const SCREENSHOTS_OF_A_JOB = BOUNDS.viewports * BOUNDS.states;
/** The columns whose screenshots one job captures. */
const JOB = "route, environment";
const TO_CAPTURE = "status = 'pending' and captured_at is null";
const WAITING = `${TO_CAPTURE} and dispatched_at is null`;
/** Whether renderers can take the job now. Its parameter are the regions with free slots. */
const TAKEABLE = "(region is null or region in (select jsonb_array_elements_text(?::jsonb)))";

/** The time that the pages of a run held their slots. */
export interface HeldTime {
  runId: string;
  heldMs: number;
  pages: number;
}

/** Locks the sharing of slots, on all nodes, until the transaction ends. */
export async function lockSlots(em: EntityManager): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtext('vrs slots'))");
}

/** The queued jobs of a region. Null for those that any renderer takes. */
interface QueuedJobs {
  region: string | null;
  jobs: number;
}

/**
 * Counts the queued jobs of all teams that have no result yet, by region. It reads each queued screenshot once: as a
 * join, the planner would read all unfinished runs for each of them, because it expects no queued ones.
 */
export function countQueuedJobs(em: EntityManager): Promise<QueuedJobs[]> {
  return em.execute(
    `select q.region, sum(q.jobs)::int as jobs from runs.run r
     cross join lateral (
       select region, count(distinct (${JOB})) as jobs from runs.screenshot
       where run_id = r.id and ${TO_CAPTURE} and dispatched_at is not null group by region) q
     where r.completed_at is null group by q.region`,
  );
}

/**
 * Finds runs with jobs that wait or hold a slot. It reads a bounded number of rows per run, however many jobs wait.
 * @param freeJobs jobs that can be dispatched
 * @param openRegions regions whose renderers can take more jobs. Those of other regions are not waiting
 */
export function findSharingRuns(
  em: EntityManager,
  freeJobs: number,
  openRegions: readonly string[],
): Promise<SharingRun[]> {
  return em.execute(
    `select o.id as "runId", o.project_id as "projectId", o.team_id as "teamId",
       u.pages as "pagesQueued", w.jobs as "jobsWaiting", w.pages as "pagesWaiting"
     from (
       select id, project_id, team_id, screenshots_per_job, row_number() over (partition by project_id order by id) as place
       from runs.run where completed_at is null and status in ('queued', 'rendering') and source = 'capture') o
     cross join lateral (
       select count(*)::int as pages from runs.screenshot
       where run_id = o.id and ${TO_CAPTURE} and dispatched_at is not null) u
     cross join lateral (
       select count(distinct (${JOB}))::int as jobs, count(*)::int as pages from (
         select ${JOB} from runs.screenshot where run_id = o.id and ${WAITING} and ${TAKEABLE}
         order by position limit ? * o.screenshots_per_job) s) w
     where o.place <= ? and (u.pages > 0 or w.pages > 0)`,
    [JSON.stringify(openRegions), Math.max(0, freeJobs), RUNS_OF_A_PROJECT],
  );
}

/** Finds the shares of everything that had work at the last sharing, and of these runs. */
export function findShares(em: EntityManager, runs: SharingRun[]): Promise<SlotShare[]> {
  const ids = new Set(runs.flatMap(({ teamId, projectId, runId }) => [teamId, projectId, runId]));
  return em.execute(
    `select kind, id, time_ms as "timeMs", page_ms as "pageMs", active from runs.slot_share
     where active or id in (select jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify([...ids])],
  );
}

/** Charges runs, their projects, and their teams for the time that they held slots. */
export async function chargeSlots(em: EntityManager, held: HeldTime[]): Promise<void> {
  if (held.length === 0) return;
  await em.execute(
    `with held as (
       select r.team_id, r.project_id, r.id, v."heldMs", v.pages
       from jsonb_to_recordset(?::jsonb) as v ("runId" text, "heldMs" double precision, pages int)
       join runs.run r on r.id = v."runId"
     ), sums as (
       select kind, id, sum("heldMs") as ms, sum(pages) as pages from (
         select 'team' as kind, team_id as id, "heldMs", pages from held
         union all select 'project', project_id, "heldMs", pages from held
         union all select 'run', id, "heldMs", pages from held) each
       group by kind, id
     )
     update runs.slot_share s set time_ms = s.time_ms + sums.ms, touched_at = now(),
       page_ms = case when s.page_ms is null then sums.ms / sums.pages
         else 0.7 * s.page_ms + 0.3 * sums.ms / sums.pages end
     from sums where s.kind = sums.kind and s.id = sums.id`,
    [JSON.stringify(held)],
  );
}

/** Records which shares have work now. Deletes those without work after a day. */
export async function writeShares(em: EntityManager, before: SlotShare[], now: SlotShare[]): Promise<void> {
  const keyOf = ({ kind, id }: SlotShare) => `${kind} ${id}`;
  const active = new Set(before.filter(share => share.active).map(keyOf));
  const present = new Set(now.map(keyOf));
  const started = now.filter(share => !active.has(keyOf(share)));
  const ended = before.filter(share => share.active && !present.has(keyOf(share)));
  if (started.length > 0)
    await em.execute(
      `insert into runs.slot_share (kind, id, time_ms, page_ms, active)
       select kind, id, "timeMs", "pageMs", true
       from jsonb_to_recordset(?::jsonb)
         as v (kind text, id text, "timeMs" double precision, "pageMs" double precision)
       on conflict (kind, id) do update set active = true, time_ms = excluded.time_ms, touched_at = now()`,
      [JSON.stringify(started)],
    );
  if (ended.length > 0)
    await em.execute(
      `with ended as (
         update runs.slot_share s set active = false, touched_at = now()
         from jsonb_to_recordset(?::jsonb) as v (kind text, id text) where s.kind = v.kind and s.id = v.id
       )
       delete from runs.slot_share where not active and touched_at < now() - interval '1 day'`,
      [JSON.stringify(ended)],
    );
}

/** A dispatched screenshot, for its job. */
export interface DispatchedScreenshot extends ScreenshotKey {
  id: string;
  runId: string;
  /** Region whose renderers take its job. Null for any. */
  region: string | null;
  viewportHeight: number;
  baselineHash: string | null;
  position: number;
  dispatches: number;
  story: StoredStory | null;
}

/**
 * Marks the next jobs of runs as dispatched. Skips runs that have ended.
 * Two nodes at the same time never get the same rows. The number of rows read per run is bounded (`lateral … limit`),
 * because without statistics the planner would read all waiting rows. The update checks again whether a row is free. It
 * uses a condition that matches no index, else the planner would search by it.
 */
export async function dispatchJobs(
  em: EntityManager,
  wanted: { runId: string; jobs: number }[],
  openRegions: readonly string[],
): Promise<DispatchedScreenshot[]> {
  if (wanted.length === 0) return [];
  return await em.execute(
    `with chosen as (
       select r.id, n.route, n.environment
       from jsonb_to_recordset(?::jsonb) as w ("runId" text, jobs int) join runs.run r on r.id = w."runId"
       cross join lateral (
         select ${JOB} from (
           select ${JOB}, position from runs.screenshot where run_id = r.id and ${WAITING} and ${TAKEABLE}
           order by position limit w.jobs * r.screenshots_per_job) s
         group by ${JOB} order by min(position) limit w.jobs) n
     ), taken as materialized (
       select s.id from chosen c cross join lateral (
         select id from runs.screenshot where run_id = c.id and route = c.route and environment = c.environment and ${WAITING}
         limit ${SCREENSHOTS_OF_A_JOB}) s
     )
     update runs.screenshot s set dispatched_at = now(), dispatches = dispatches + 1
     from taken t where s.id = t.id and s.status = 'pending' and s.dispatched_at is null
       and exists (select from runs.run r where r.id = s.run_id and r.completed_at is null)
     returning s.id, s.run_id as "runId", ${pageFields("s")}, s.region, s.viewport_height as "viewportHeight", s.baseline_hash as "baselineHash", s.position,
       s.dispatches, s.story`,
    [JSON.stringify(wanted), JSON.stringify(openRegions)],
  );
}
