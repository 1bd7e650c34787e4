import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";

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
/** As a submission may have at most. */
const VIEWPORTS_OF_A_ROUTE = 10;

/**
 * Takes the next routes of runs, whose captures are to be queued; none of a run that has ended. Two nodes that ask at
 * once do not get the same rows: the second finds them taken. What it reads of a run is bounded (`lateral … limit`),
 * since without statistics the planner would look at all that waits. The update asks again whether a row is free, in
 * words that no index has: else it would be found by that.
 */
export async function claimRoutes(
  em: EntityManager,
  wanted: { runId: string; routes: number }[],
): Promise<Claimed[]> {
  if (wanted.length === 0) return [];
  return await em.execute(
    `with chosen as (
       select w."runId" as id, n.route
       from jsonb_to_recordset(?::jsonb) as w ("runId" text, routes int) cross join lateral (
         select route from (
           select route, position from runs.screenshot where run_id = w."runId" and ${WAITING}
           order by position limit w.routes * ${VIEWPORTS_OF_A_ROUTE}) s
         group by route order by min(position) limit w.routes) n
     ), taken as materialized (
       select s.id from chosen c cross join lateral (
         select id from runs.screenshot where run_id = c.id and route = c.route and ${WAITING}
         limit ${VIEWPORTS_OF_A_ROUTE}) s
     )
     update runs.screenshot s set dispatched_at = now(), dispatches = dispatches + 1
     from taken t where s.id = t.id and s.status = 'pending' and s.dispatched_at is null
       and exists (select from runs.run r where r.id = s.run_id and r.completed_at is null)
     returning s.id, s.run_id as "runId", s.route, s.viewport, s.baseline_hash as "baselineHash", s.position,
       s.dispatches`,
    [JSON.stringify(wanted)],
  );
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
