import type { EntityManager } from "../../mixins/database.ts";
import type { Region } from "../../shared/compare/comparison.ts";

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
  colorThreshold: number;
  ignoreRegions: Region[];
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
     returning id, run_id as "runId", hash, baseline_hash as "baselineHash",
       color_threshold as "colorThreshold", ignore_regions as "ignoreRegions", dispatches as attempt`,
    [ids, before],
  );
}
