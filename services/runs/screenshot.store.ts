import type { EntityManager } from "../../mixins/database.ts";
import type { Diagnostics } from "../../shared/contracts/capture/diagnostics.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { ReviewState } from "../../shared/contracts/reviews/review-view.ts";
import type { ScreenshotStatus } from "../../shared/contracts/runs/screenshots.ts";
import type { Grouped } from "../../shared/report/group-screenshots.ts";
import { isSamePage, pageColumns, pageFields } from "./page-columns.ts";
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
  environment: string | null;
  viewport: number;
}

interface OutlineRow extends Omit<Outline, "minor" | "review" | "carried"> {
  diffPixels: number | null;
  faintPixels: number;
  review: ReviewState | null;
  carried: boolean;
}

/** Lists outlines of all screenshots of a run, by id. */
export async function listOutlines(em: EntityManager, runId: string): Promise<Outline[]> {
  const rows: OutlineRow[] = await em.execute(
    `select id, nullif(environment, '') as environment, viewport, status, coalesce(stable, true) as stable, fingerprint, diff_ratio as "diffRatio",
       diff_pixels as "diffPixels", faint_pixels as "faintPixels", review, carried_run_id is not null as carried,
       jsonb_path_query_array(explanation, '$.causes[*].key') as "causeKeys"
     from runs.screenshot where run_id = ? order by id`,
    [runId],
  );
  return rows.map(({ review, carried, diffPixels, faintPixels, ...row }) => ({
    ...row,
    minor: isMinorChange({ status: row.status, diffPixels, faintPixels }),
    review: review && { state: review },
    carried: carried ? {} : null,
  }));
}

export function findScreenshot(em: EntityManager, id: string): Promise<Screenshot | null> {
  return em.findOne(ScreenshotEntity, { id });
}

/** Finds screenshots of a run: all, or those with these ids. */
export function findScreenshots(em: EntityManager, runId: string, ids?: string[]): Promise<Screenshot[]> {
  return em.find(ScreenshotEntity, { runId, ...(ids && { id: { $in: ids } }) }, { orderBy: { id: "asc" } });
}

/** Finds the diagnostics of the baselines' screenshots, where they are still kept, by the id of the new screenshot. */
export async function findBaselineDiagnostics(
  em: EntityManager,
  ids: string[],
): Promise<Map<string, Diagnostics>> {
  if (ids.length === 0) return new Map();
  const rows: { id: string; diagnostics: Diagnostics }[] = await em.execute(
    `select s.id, b.diagnostics
     from jsonb_array_elements_text(?::jsonb) as v (id) join runs.screenshot s on s.id = v.id
     join runs.screenshot b on b.run_id = s.baseline_run_id and ${isSamePage("b", "s")} and b.hash = s.baseline_hash
     where b.diagnostics is not null`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, diagnostics }) => [id, diagnostics]));
}

/**
 * Finds the latest failed screenshots of all teams. It searches only the latest runs with failures, because a search of
 * all screenshots would take long.
 */
export function findRecentFailures(em: EntityManager, limit: number): Promise<FoundFailure[]> {
  return em.execute(
    `select coalesce(s.dispatched_at, r.created_at) as at, s.run_id as "runId", s.id as "screenshotId", ${pageFields("s")},
       s.error
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

interface FoundFailure extends ScreenshotKey {
  at: Date;
  runId: string;
  screenshotId: string;
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
       select ${pageColumns()}, hash, status, row_number() over (partition by ${pageColumns()} order by run_id desc) as back
       from runs.screenshot where hash is not null and run_id in (
         select id from runs.run where project_id = ? and id < ? and kind <> 'trial' order by id desc limit ${EARLIER_RUNS})
     ), flaky as (
       select ${pageColumns()}, array_agg(hash) as hashes from earlier where back <= ${before}
       group by ${pageColumns()} having count(distinct hash) = ${before} and bool_and(status <> 'unchanged')
     )
     update runs.screenshot s set flaky = true from flaky r
     where s.run_id = ? and s.status = 'changed' and ${isSamePage("s", "r")}
       and s.hash <> all (r.hashes)`,
    [projectId, id, id],
  );
}
