import type { EntityManager } from "../../mixins/database.ts";
import type { Region } from "../../shared/compare/comparison.ts";
import type { Blame } from "../../shared/contracts/runs/jobs.ts";
import type { ReviewState } from "../../shared/contracts/runs/review-view.ts";
import type { ScreenshotStatus } from "../../shared/contracts/runs/runs.ts";
import type { Grouped } from "../../shared/report/group-screenshots.ts";
import type { ChosenBaseline } from "./baselines/choose-baseline.rule.ts";
import { isMinorChange } from "./reviews/reviewable.rule.ts";
import { type Screenshot, ScreenshotEntity } from "./screenshot.entity.ts";

/** Lists a run's screenshots by id. Returns one row more than the limit if there are more. */
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

/** The fields that determine a screenshot's position in the interface. */
export interface Outline extends Grouped {
  id: string;
  viewport: number;
}

interface OutlineRow extends Omit<Outline, "minor" | "review" | "carried"> {
  diffPixels: number | null;
  review: ReviewState | null;
  carried: boolean;
}

/** Lists outlines of all screenshots of a run, by id. */
export async function listOutlines(em: EntityManager, runId: string): Promise<Outline[]> {
  const rows: OutlineRow[] = await em.execute(
    `select id, viewport, status, coalesce(stable, true) as stable, fingerprint, diff_ratio as "diffRatio",
       diff_pixels as "diffPixels", review, carried_run_id is not null as carried
     from runs.screenshot where run_id = ? order by id`,
    [runId],
  );
  return rows.map(({ review, carried, diffPixels, ...row }) => ({
    ...row,
    minor: isMinorChange({ status: row.status, diffPixels }),
    review: review && { state: review },
    carried: carried ? {} : null,
  }));
}

/** Finds screenshots of a run: all, or those with these ids. */
export function findScreenshots(em: EntityManager, runId: string, ids?: string[]): Promise<Screenshot[]> {
  return em.find(ScreenshotEntity, { runId, ...(ids && { id: { $in: ids } }) }, { orderBy: { id: "asc" } });
}

export function findPending(em: EntityManager, ids: string[]): Promise<Screenshot[]> {
  return em.find(ScreenshotEntity, { id: { $in: ids }, status: "pending" });
}

/** A capture as it is stored, with its status if it needs no comparison. */
export interface CaptureRecord extends ChosenBaseline {
  id: string;
  runId: string;
  status: ScreenshotStatus;
  hash: string;
  width: number;
  height: number;
  stable: boolean;
  moving: string[];
  missing?: string[];
  movingRegions: Region[];
  attempts: number;
  cutFromHeight: number | null;
  browser: string;
  rendering: string | null;
  timings: Record<string, number>;
}

/**
 * Returns JSON that jsonb accepts. A page's text may contain a NUL or an unpaired surrogate, and one would fail the
 * whole batch.
 */
function jsonOf(rows: object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value,
  );
}

/**
 * Records captures in one statement, each once. Skips captures whose rendering differs from their run's. Waits for a
 * run that is being moved to other renderers. @returns the recorded ids
 */
export async function recordCaptures(em: EntityManager, records: CaptureRecord[]): Promise<Set<string>> {
  const rows: { id: string }[] = await em.execute(
    `with v as (
       select * from jsonb_to_recordset(?::jsonb) as v (
         id text, "runId" text, status text, hash text, width int, height int, stable boolean, moving jsonb,
         "movingRegions" jsonb, missing jsonb, attempts int, "cutFromHeight" int, browser text, rendering text,
         timings jsonb, "baselineHash" text, "baselineRunId" text, "baselineReason" text, "baselineWidth" int,
         "baselineHeight" int, "baselineBrowser" text, "baselineRendering" text)
     ), r as materialized (
       select id, rendering from runs.run where id in (select "runId" from v) order by id for share
     )
     update runs.screenshot as s set
       status = v.status, hash = v.hash, width = v.width, height = v.height, stable = v.stable, moving = v.moving,
       moving_regions = v."movingRegions", missing = coalesce(v.missing, '[]'), attempts = v.attempts, cut_from_height = v."cutFromHeight",
       browser = v.browser, rendering = v.rendering, timings = v.timings,
       baseline_hash = v."baselineHash", baseline_run_id = v."baselineRunId", baseline_reason = v."baselineReason",
       baseline_width = v."baselineWidth", baseline_height = v."baselineHeight", baseline_browser = v."baselineBrowser",
       baseline_rendering = v."baselineRendering",
       diff_pixels = case when v.status = 'unchanged' then 0 end,
       diff_ratio = case when v.status = 'unchanged' then 0 end,
       captured_at = now(), dispatched_at = now(), dispatches = 1
     from v join r on r.id = v."runId"
     where s.id = v.id and s.status = 'pending' and s.captured_at is null
       and (v.rendering is null or r.rendering is null or r.rendering = v.rendering)
     returning s.id`,
    [jsonOf(records)],
  );
  return new Set(rows.map(row => row.id));
}

/** Finds earlier comparisons of the same two images with the same settings, one per pair, by the pair's id. */
export async function findComparisons(
  em: EntityManager,
  pairs: {
    id: string;
    baselineHash: string;
    hash: string;
    colorThreshold: number;
    ignoreRegions: Region[];
  }[],
): Promise<Map<string, Screenshot>> {
  if (pairs.length === 0) return new Map();
  const rows: { pairId: string; id: string }[] = await em.execute(
    `select v.id as "pairId", made.id
     from jsonb_to_recordset(?::jsonb) as v (
       id text, "baselineHash" text, hash text, "colorThreshold" double precision, "ignoreRegions" jsonb)
     cross join lateral (
       select s.id from runs.screenshot s
       where s.baseline_hash = v."baselineHash" and s.hash = v.hash and s.color_threshold = v."colorThreshold"
         and s.ignore_regions = v."ignoreRegions"
         and jsonb_array_length(s.ignored_pixels) = jsonb_array_length(v."ignoreRegions")
         and s.compared_at is not null
       limit 1) made`,
    [JSON.stringify(pairs)],
  );
  const made = await em.find(ScreenshotEntity, { id: { $in: rows.map(row => row.id) } });
  const byId = new Map(made.map(screenshot => [screenshot.id, screenshot]));
  return new Map(
    rows.flatMap(({ pairId, id }) => {
      const screenshot = byId.get(id);
      return screenshot ? [[pairId, screenshot]] : [];
    }),
  );
}

/**
 * Fails screenshots, each only at its current stage. A job that ran twice may have captured one that its other attempt
 * couldn't.
 */
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

/**
 * Finds the latest failed screenshots of all teams. It searches only the latest runs with failures, because a search of
 * all screenshots would take long.
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

/** Number of consecutive screenshots of a page that all differ. Work on a page rarely causes that. */
export const DIFFERENT_IN_A_ROW = 5;
/** Earlier runs that are searched. A run may have only some of the pages. */
const EARLIER_RUNS = 8;

/**
 * Marks a run's changed screenshots as flaky if the page's recent screenshots all differ and none was within its
 * threshold. It doesn't matter who submitted them.
 */
export async function markFlaky(
  em: EntityManager,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  const before = DIFFERENT_IN_A_ROW - 1;
  await em.execute(
    `with earlier as (
       select route, viewport, hash, status, row_number() over (partition by route, viewport order by run_id desc) as back
       from runs.screenshot where hash is not null and run_id in (
         select id from runs.run where project_id = ? and id < ? order by id desc limit ${EARLIER_RUNS})
     ), flaky as (
       select route, viewport, array_agg(hash) as hashes from earlier where back <= ${before}
       group by route, viewport having count(distinct hash) = ${before} and bool_and(status <> 'unchanged')
     )
     update runs.screenshot s set flaky = true from flaky r
     where s.run_id = ? and s.status = 'changed' and s.route = r.route and s.viewport = r.viewport
       and s.hash <> all (r.hashes)`,
    [projectId, id, id],
  );
}
