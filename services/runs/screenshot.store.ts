import type { EntityManager } from "../../mixins/database.ts";
import type { ScreenshotStatus } from "../../shared/contracts/http.ts";
import type { Blame } from "../../shared/contracts/jobs.ts";
import type { ReviewState } from "../../shared/contracts/review-view.ts";
import type { Grouped } from "../../shared/report/group-screenshots.ts";
import type { ChosenBaseline } from "./choose-baseline.ts";
import { type Screenshot, ScreenshotEntity } from "./screenshot.entity.ts";

/** A part of a run's screenshots in the order of their ids, one more than the limit when there are more. */
export function listScreenshots(
  em: EntityManager,
  runId: string,
  page: { limit: number; after?: string; status?: ScreenshotStatus },
): Promise<Screenshot[]> {
  const where = {
    runId,
    ...(page.after !== undefined && { id: { $gt: page.after } }),
    ...(page.status !== undefined && { status: page.status }),
  };
  return em.find(ScreenshotEntity, where, { orderBy: { id: "asc" }, limit: page.limit + 1 });
}

/** What of a screenshot says where pages show it. */
export interface Outline extends Grouped {
  id: string;
  viewport: number;
}

/** All of a run's screenshots in the order of their ids. */
export async function listOutlines(em: EntityManager, runId: string): Promise<Outline[]> {
  const rows: (Omit<Outline, "review" | "carried"> & { review: ReviewState | null; carried: boolean })[] =
    await em.execute(
      `select id, viewport, status, coalesce(stable, true) as stable, fingerprint, review,
         carried_run_id is not null as carried
       from runs.screenshot where run_id = ? order by id`,
      [runId],
    );
  return rows.map(({ review, carried, ...row }) => ({
    ...row,
    review: review && { state: review },
    carried: carried ? {} : null,
  }));
}

/** Screenshots of a run, all or those of these ids. */
export function findScreenshots(em: EntityManager, runId: string, ids?: string[]): Promise<Screenshot[]> {
  return em.find(ScreenshotEntity, { runId, ...(ids && { id: { $in: ids } }) }, { orderBy: { id: "asc" } });
}

export function findPending(em: EntityManager, ids: string[]): Promise<Screenshot[]> {
  return em.find(ScreenshotEntity, { id: { $in: ids }, status: "pending" });
}

/** What a capture wrote, with the verdict that needed no comparison, if there was one. */
export interface CaptureRecord extends ChosenBaseline {
  id: string;
  status: ScreenshotStatus;
  hash: string;
  width: number;
  height: number;
  stable: boolean;
  moving: string[];
  attempts: number;
  cutFromHeight: number | null;
  browser: string;
  timings: Record<string, number>;
}

/** As JSON that jsonb takes: a page's own words may hold a NUL or half of a surrogate pair, and one would void the whole batch. */
function jsonOf(rows: object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value,
  );
}

/** Records captures, each once, all in one statement. @returns the ids that were recorded now */
export async function recordCaptures(em: EntityManager, records: CaptureRecord[]): Promise<Set<string>> {
  const rows: { id: string }[] = await em.execute(
    `update runs.screenshot as s set
       status = v.status, hash = v.hash, width = v.width, height = v.height, stable = v.stable, moving = v.moving,
       attempts = v.attempts, cut_from_height = v."cutFromHeight", browser = v.browser, timings = v.timings,
       baseline_hash = v."baselineHash", baseline_run_id = v."baselineRunId", baseline_reason = v."baselineReason",
       baseline_width = v."baselineWidth", baseline_height = v."baselineHeight", baseline_browser = v."baselineBrowser",
       diff_pixels = case when v.status = 'unchanged' then 0 end,
       diff_ratio = case when v.status = 'unchanged' then 0 end,
       captured_at = now(), dispatched_at = now(), dispatches = 1
     from jsonb_to_recordset(?::jsonb) as v (
       id text, status text, hash text, width int, height int, stable boolean, moving jsonb, attempts int,
       "cutFromHeight" int, browser text, timings jsonb, "baselineHash" text, "baselineRunId" text,
       "baselineReason" text, "baselineWidth" int, "baselineHeight" int, "baselineBrowser" text)
     where s.id = v.id and s.status = 'pending' and s.captured_at is null
     returning s.id`,
    [jsonOf(records)],
  );
  return new Set(rows.map(row => row.id));
}

/** Comparisons of the same two images that were made before, one for each pair. */
export async function findComparisons(
  em: EntityManager,
  pairs: { baselineHash: string; hash: string }[],
): Promise<Screenshot[]> {
  if (pairs.length === 0) return [];
  const rows: { id: string }[] = await em.execute(
    `select distinct on (s.baseline_hash, s.hash) s.id
     from runs.screenshot s
     join jsonb_to_recordset(?::jsonb) as v ("baselineHash" text, hash text)
       on s.baseline_hash = v."baselineHash" and s.hash = v.hash
     where s.compared_at is not null`,
    [JSON.stringify(pairs)],
  );
  return em.find(ScreenshotEntity, { id: { $in: rows.map(row => row.id) } });
}

/** Fails screenshots, each at the stage that it is at: a job that ran twice may have captured what the other could not. */
export async function recordFailures(
  em: EntityManager,
  failures: { screenshotId: string; stage: "capture" | "compare"; reason: string; blame?: Blame }[],
): Promise<void> {
  await em.execute(
    `update runs.screenshot as s set status = 'failed', error = v.reason, blame = v.blame
     from jsonb_to_recordset(?::jsonb) as v ("screenshotId" text, stage text, reason text, blame text)
     where s.id = v."screenshotId" and s.status = 'pending' and (s.captured_at is null) = (v.stage = 'capture')`,
    [jsonOf(failures)],
  );
}

/** A screenshot whose job is to be queued. */
export interface Claimed {
  id: string;
  runId: string;
  route: string;
  viewport: number;
  baselineHash: string | null;
  position: number;
  dispatches: number;
}

const TO_CAPTURE = "status = 'pending' and captured_at is null";
const WAITING = `${TO_CAPTURE} and dispatched_at is null`;
const UNDER_WAY = `${TO_CAPTURE} and dispatched_at is not null`;
/** As a submission may have at most. */
const VIEWPORTS_OF_A_ROUTE = 10;

/**
 * Takes routes of a team's runs whose captures are to be queued, once half of the window is free, as many as fill it;
 * none of a run that has ended. Runs take turns: a run's third route under way comes after every other run's second.
 * Two nodes that ask at once do not get the same rows: the second finds them taken.
 *
 * What it reads is bounded by the window, however many routes wait: it looks at twice a run's even share of the room,
 * and at each run by itself (`lateral … limit`), since without statistics the planner would look at all that waits.
 * The update asks again whether a row is free, in words that no index has: else it would be found by that.
 *
 * @param window routes of the team under way at once
 * @returns what was taken, and whether more of the team's routes may wait
 */
export async function claimRoutes(
  em: EntityManager,
  teamId: string,
  window: number,
): Promise<{ claimed: Claimed[]; more: boolean }> {
  const rows: (Claimed & { more: boolean })[] = await em.execute(
    `with open as (
       select id from runs.run where team_id = ? and completed_at is null
     ), under_way as (
       select run_id, count(distinct route)::int as routes from runs.screenshot
       where run_id in (select id from open) and ${UNDER_WAY} group by run_id
     ), room as (
       select case when coalesce(sum(routes), 0) * 2 <= ? then ? - coalesce(sum(routes), 0) else 0 end as routes
       from under_way
     ), able as (
       select o.id, coalesce(u.routes, 0) as under_way from open o left join under_way u on u.run_id = o.id
         cross join lateral (select from runs.screenshot where run_id = o.id and ${WAITING} limit 1) w
       order by 2, 1 limit ?
     ), share as (
       select 2 * ceil((select routes from room)::numeric / greatest(1, count(*)))::int as routes from able
     ), next as (
       select a.id, w.route, a.under_way + row_number() over (partition by a.id order by w.first) as turn
       from able a cross join lateral (
         select route, min(position) as first from (
           select route, position from runs.screenshot where run_id = a.id and ${WAITING}
           order by position limit (select routes * ${VIEWPORTS_OF_A_ROUTE} from share)) s
         group by route order by 2 limit (select routes from share)) w
     ), chosen as (
       select id, route from next order by turn, id limit (select routes from room)
     ), taken as materialized (
       select s.id from chosen c cross join lateral (
         select id from runs.screenshot where run_id = c.id and route = c.route and ${WAITING}
         limit ${VIEWPORTS_OF_A_ROUTE}) s
     ), claimed as (
       update runs.screenshot s set dispatched_at = now(), dispatches = dispatches + 1
       from taken t where s.id = t.id and s.status = 'pending' and s.dispatched_at is null
         and exists (select from runs.run r where r.id = s.run_id and r.completed_at is null)
       returning s.id, s.run_id, s.route, s.viewport, s.baseline_hash, s.position, s.dispatches
     )
     select c.id, c.run_id as "runId", c.route, c.viewport, c.baseline_hash as "baselineHash", c.position, c.dispatches,
       exists (select from able) and ((select routes from room) = 0
         or (select count(*) from able) >= ?
         or (select count(*) from next) > (select count(*) from chosen)
         or exists (select from next group by id having count(*) >= (select routes from share))) as more
     from (select) as always left join claimed c on true`,
    [teamId, window, window, window, window],
  );
  // Where nothing was taken there is one row all the same, for `more`.
  return { claimed: rows.filter(row => row.id !== null), more: rows[0]?.more === true };
}

/** Teams with routes whose captures are to be queued. */
export async function findTeamsThatWait(em: EntityManager): Promise<string[]> {
  const rows: { teamId: string }[] = await em.execute(
    `select distinct r.team_id as "teamId" from runs.run r
       cross join lateral (select from runs.screenshot where run_id = r.id and ${WAITING} limit 1) w
     where r.completed_at is null`,
  );
  return rows.map(row => row.teamId);
}

/** A screenshot whose job was queued a while ago. */
export interface Silent {
  id: string;
  runId: string;
  route: string;
  captured: boolean;
}

/** Long enough that a job is in the queue once its row says so. */
const BEFORE = "coalesce(?::timestamptz, now() - interval '15 seconds')";

/** Screenshots of unfinished runs whose job was queued before `before`, or 15 seconds ago, and not heard of since. */
export function findSilent(em: EntityManager, before: Date | null): Promise<Silent[]> {
  return em.execute(
    `select s.id, s.run_id as "runId", s.route, s.captured_at is not null as captured
     from runs.screenshot s join runs.run r on r.id = s.run_id
     where r.completed_at is null and s.status = 'pending' and s.dispatched_at < ${BEFORE}`,
    [before],
  );
}

/** Takes back capture jobs that got lost: they are to be queued again. */
export async function releaseCaptures(em: EntityManager, ids: string[], before: Date | null): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(
    `update runs.screenshot set dispatched_at = null
     where id in (?) and ${TO_CAPTURE} and dispatched_at < ${BEFORE}`,
    [ids, before],
  );
}

/** Fails the screenshots whose jobs got lost so often that they themselves must be the cause. */
export async function failLostTooOften(em: EntityManager, times: number, reason: string): Promise<void> {
  await em.execute(
    `update runs.screenshot s set status = 'failed', error = ? from runs.run r
     where r.id = s.run_id and r.completed_at is null
       and s.status = 'pending' and s.dispatches >= ? and s.dispatched_at is null`,
    [reason, times],
  );
}

interface LostComparison {
  id: string;
  runId: string;
  hash: string;
  baselineHash: string;
  attempt: number;
}

/** Takes comparisons that got lost, to queue them again; one that got lost `times` times fails. */
export async function claimLostComparisons(
  em: EntityManager,
  ids: string[],
  before: Date | null,
  { times, reason }: { times: number; reason: string },
): Promise<LostComparison[]> {
  if (ids.length === 0) return [];
  const lost = `id in (?) and status = 'pending' and captured_at is not null and dispatched_at < ${BEFORE}`;
  await em.execute(
    `update runs.screenshot set status = 'failed', error = ? where ${lost} and dispatches > ?`,
    [reason, ids, before, times],
  );
  return em.execute(
    `update runs.screenshot set dispatched_at = now(), dispatches = dispatches + 1 where ${lost}
     returning id, run_id as "runId", hash, baseline_hash as "baselineHash", dispatches as attempt`,
    [ids, before],
  );
}

/**
 * The screenshots that failed last, of any team: of the latest runs in which some did, for among all screenshots it
 * would take long to look.
 */
export function findRecentFailures(em: EntityManager, limit: number): Promise<FoundFailure[]> {
  return em.execute(
    `select coalesce(s.dispatched_at, r.created_at) as at, s.run_id as "runId", s.id as "screenshotId", s.route,
       s.viewport, s.error
     from (
       select id, created_at from (select id, created_at, tally from runs.run order by id desc limit 1000) latest
       where tally is null or (tally ->> 'failed')::int > 0
       order by id desc limit 50) r
     join runs.screenshot s on s.run_id = r.id
     where s.status = 'failed'
     order by at desc, s.id desc limit ?`,
    [limit],
  );
}

interface FoundFailure {
  at: Date;
  runId: string;
  screenshotId: string;
  route: string;
  viewport: number;
  error: string | null;
}
