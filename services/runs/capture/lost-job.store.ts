import type { EntityManager } from "../../../mixins/database.ts";
import type { AppliedRegion } from "../../../shared/contracts/capture/ignore-region.ts";

const TO_CAPTURE = "status = 'pending' and captured_at is null";

/** A screenshot whose job was queued a while ago and has no result. */
export interface UnansweredScreenshot {
  id: string;
  runId: string;
  route: string;
  environment: string | null;
  captured: boolean;
}

/** Long enough for a job to reach the queue after its row was written. */
const QUEUED_BEFORE = "coalesce(?::timestamptz, now() - interval '15 seconds')";

/** Finds screenshots of unfinished runs whose job was queued before `before`, or 15 seconds ago, and has no result. */
export function findUnansweredScreenshots(
  em: EntityManager,
  before: Date | null,
): Promise<UnansweredScreenshot[]> {
  return em.execute(
    `select s.id, s.run_id as "runId", s.route, nullif(s.environment, '') as environment, s.captured_at is not null as captured
     from runs.screenshot s join runs.run r on r.id = s.run_id
     where r.completed_at is null and s.status = 'pending' and s.dispatched_at < ${QUEUED_BEFORE}`,
    [before],
  );
}

/** Releases lost capture jobs, so that they are queued again. */
export async function releaseCaptures(em: EntityManager, ids: string[], before: Date | null): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(
    `update runs.screenshot set dispatched_at = null
     where id in (?) and ${TO_CAPTURE} and dispatched_at < ${QUEUED_BEFORE}`,
    [ids, before],
  );
}

/** Fails screenshots whose jobs got lost so often that they must be the cause themselves. */
export async function failRepeatedlyLost(em: EntityManager, times: number, reason: string): Promise<void> {
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
  ignoreRegions: AppliedRegion[];
  attempt: number;
}

/** Marks lost comparisons as dispatched again, to be queued. Fails those that got lost `times` times. */
export async function dispatchLostComparisons(
  em: EntityManager,
  ids: string[],
  before: Date | null,
  { times, reason }: { times: number; reason: string },
): Promise<LostComparison[]> {
  if (ids.length === 0) return [];
  const lost = `id in (?) and status = 'pending' and captured_at is not null and dispatched_at < ${QUEUED_BEFORE}`;
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
