import type { EntityManager } from "../../mixins/database.ts";
import type { ScreenshotStatus } from "../../shared/contracts/http.ts";
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

/** What a comparison wrote. */
export interface ComparisonRecord {
  id: string;
  baselineHash: string;
  hash: string;
  diffPixels: number;
  diffRatio: number;
  regions: object[];
  maskHash: string | null;
  fingerprint: string | null;
}

/** Records comparisons, each once and only while it is of the pixels that the row holds, all in one statement. */
export async function recordComparisons(em: EntityManager, records: ComparisonRecord[]): Promise<void> {
  await em.execute(
    `update runs.screenshot as s set
       status = case when v."diffRatio" > s.threshold then 'changed' else 'unchanged' end,
       diff_pixels = v."diffPixels", diff_ratio = v."diffRatio", regions = v.regions,
       mask_hash = v."maskHash", fingerprint = v.fingerprint, compared_at = now()
     from jsonb_to_recordset(?::jsonb) as v (
       id text, "baselineHash" text, hash text, "diffPixels" int, "diffRatio" double precision, regions jsonb,
       "maskHash" text, fingerprint text)
     where s.id = v.id and s.status = 'pending' and s.hash = v.hash and s.baseline_hash = v."baselineHash"`,
    [JSON.stringify(records)],
  );
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
  failures: { screenshotId: string; stage: "capture" | "compare"; reason: string }[],
): Promise<void> {
  await em.execute(
    `update runs.screenshot as s set status = 'failed', error = v.reason
     from jsonb_to_recordset(?::jsonb) as v ("screenshotId" text, stage text, reason text)
     where s.id = v."screenshotId" and s.status = 'pending' and (s.captured_at is null) = (v.stage = 'capture')`,
    [jsonOf(failures)],
  );
}

/** A screenshot whose job is to be queued. */
export interface Claimed {
  id: string;
  route: string;
  viewport: number;
  baselineHash: string | null;
  position: number;
}

/**
 * Takes routes of a run whose captures are to be queued, first ones first, as many as keep the routes that are
 * under way within the window; none of a run that was canceled meanwhile. Two nodes that ask at once do not get the same: the second finds the rows taken.
 */
export async function claimRoutes(em: EntityManager, runId: string, window: number): Promise<Claimed[]> {
  return em.execute(
    `update runs.screenshot set dispatched_at = now(), dispatches = dispatches + 1
     where run_id = ? and status = 'pending' and captured_at is null and dispatched_at is null and route in (
       select route from runs.screenshot
       where run_id = ? and status = 'pending' and captured_at is null and dispatched_at is null
       group by route order by min(position)
       limit greatest(0, ? - (
         select count(distinct route) from runs.screenshot
         where run_id = ? and status = 'pending' and captured_at is null and dispatched_at is not null)))
       and exists (select from runs.run where id = ? and completed_at is null)
     returning id, route, viewport, baseline_hash as "baselineHash", position`,
    [runId, runId, window, runId, runId],
  );
}

/** Takes back the jobs of unfinished runs that were queued before `before` and not heard of since. @returns the runs */
export async function releaseLostCaptures(em: EntityManager, before: Date): Promise<void> {
  await em.execute(
    `update runs.screenshot s set dispatched_at = null from runs.run r
     where r.id = s.run_id and r.completed_at is null
       and s.status = 'pending' and s.captured_at is null and s.dispatched_at < ?`,
    [before],
  );
}

/** Fails the screenshots whose jobs got lost so often that they themselves must be the cause. */
export async function failLostTooOften(em: EntityManager, times: number, reason: string): Promise<void> {
  await em.execute(
    `update runs.screenshot s set status = 'failed', error = ? from runs.run r
     where r.id = s.run_id and r.completed_at is null
       and s.status = 'pending' and s.dispatched_at is null and s.dispatches >= ?`,
    [reason, times],
  );
}

/** Captured screenshots that wait for a comparison queued before `before`; their clock starts anew. */
export async function claimLostComparisons(
  em: EntityManager,
  before: Date,
  times: number,
  reason: string,
): Promise<LostComparison[]> {
  await em.execute(
    `update runs.screenshot s set status = 'failed', error = ? from runs.run r
     where r.id = s.run_id and r.completed_at is null
       and s.status = 'pending' and s.captured_at is not null and s.dispatched_at < ? and s.dispatches > ?`,
    [reason, before, times],
  );
  return em.execute(
    `update runs.screenshot s set dispatched_at = now(), dispatches = dispatches + 1 from runs.run r
     where r.id = s.run_id and r.completed_at is null
       and s.status = 'pending' and s.captured_at is not null and s.dispatched_at < ?
     returning s.id, s.run_id as "runId", s.hash, s.baseline_hash as "baselineHash"`,
    [before],
  );
}

interface LostComparison {
  id: string;
  runId: string;
  hash: string;
  baselineHash: string;
}
