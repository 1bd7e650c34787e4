import type { EntityManager } from "../../../mixins/database.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { pageFields } from "../page-columns.ts";
import { renderingKey } from "./rendering-of.rule.ts";

/** SQL for whether a screenshot is of a region. Its parameter is the region's `renderingKey`. */
const IN_REGION = "coalesce(region, '') = ?";

/** A rendering fingerprint that is fixed for a run's screenshots of a region. */
export interface Pin {
  runId: string;
  /** Null for screenshots that any renderer captures. */
  region: string | null;
  rendering: string;
}

/** The number of a run's baselines with one fingerprint. */
export interface BaselineRendering extends Pin {
  screenshots: number;
}

/** Counts the fingerprints of these runs' baselines, by region. */
export function countBaselineRenderings(em: EntityManager, runIds: string[]): Promise<BaselineRendering[]> {
  return em.execute(
    `select run_id as "runId", region, baseline_rendering as rendering, count(*)::int as screenshots
     from runs.screenshot where run_id in (?) and baseline_rendering is not null and status <> 'removed'
     group by 1, 2, 3`,
    [runIds],
  );
}

/** Fixes renderings that are not fixed already. @returns all renderings of each of the runs */
export async function pinRenderings(
  em: EntityManager,
  pins: readonly Pin[],
): Promise<Map<string, Record<string, string>>> {
  if (pins.length === 0) return new Map();
  const wanted = [...Map.groupBy(pins, ({ runId }) => runId)].map(([runId, own]) => ({
    runId,
    renderings: Object.fromEntries(own.map(({ region, rendering }) => [renderingKey(region), rendering])),
  }));
  const rows: { id: string; renderings: Record<string, string> }[] = await em.execute(
    `update runs.run r set renderings = v.renderings || r.renderings
     from jsonb_to_recordset(?::jsonb) as v ("runId" text, renderings jsonb)
     where r.id = v."runId" and r.completed_at is null returning r.id, r.renderings`,
    [JSON.stringify(wanted)],
  );
  return new Map(rows.map(({ id, renderings }) => [id, renderings]));
}

/** Releases captures from renderers with another fingerprint, so that they are queued again. */
export async function releaseMismatchedCaptures(em: EntityManager, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(
    `update runs.screenshot set dispatched_at = null
     where id in (?) and status = 'pending' and captured_at is null`,
    [ids],
  );
}

/** The uncaptured screenshots of a run in one region. */
interface UncapturedPart extends Omit<Pin, "rendering"> {
  /** Null until it is fixed. */
  rendering: string | null;
}

/** Finds the uncaptured screenshots of unfinished runs by region. */
export function findUncaptured(em: EntityManager): Promise<UncapturedPart[]> {
  return em.execute(
    `select r.id as "runId", u.region, r.renderings ->> coalesce(u.region, '') as rendering
     from runs.run r
     cross join lateral (
       select distinct region from runs.screenshot
       where run_id = r.id and status = 'pending' and captured_at is null) u
     where r.completed_at is null order by r.id`,
  );
}

/** An uncaptured screenshot. */
interface Uncaptured extends ScreenshotKey {
  id: string;
  runId: string;
  /** Whether its job was queued. */
  isQueued: boolean;
}

/** Finds the uncaptured screenshots of a run in one region. */
export function findUncapturedIn(em: EntityManager, runId: string, region: string): Promise<Uncaptured[]> {
  return em.execute(
    `select id, run_id as "runId", ${pageFields()}, dispatched_at is not null as "isQueued" from runs.screenshot
     where run_id = ? and region = ? and status = 'pending' and captured_at is null`,
    [runId, region],
  );
}

/**
 * Moves a run's screenshots of a region to another fingerprint. Captures with the previous one, and failed ones, are
 * released to be captured again. Call it within a transaction.
 * @returns the number of released screenshots; null if the run has ended or was already moved
 */
export async function moveRun(
  em: EntityManager,
  { runId, region, rendering: before }: Pin,
  rendering: string,
): Promise<number | null> {
  const key = renderingKey(region);
  // The run is locked before its screenshots, in the same order as when captures are recorded.
  const moved: object[] = await em.execute(
    `update runs.run set renderings = jsonb_set(renderings, array[?], to_jsonb(?::text)),
       status = case when status = 'comparing' then 'rendering' else status end
     where id = ? and renderings ->> ? = ? and completed_at is null returning id`,
    [key, rendering, runId, key, before],
  );
  if (moved.length === 0) return null;
  // Approvals that were carried to screenshots of the run apply to other pixels.
  await em.execute(
    `delete from runs.baseline where screenshot_id in (
       select id from runs.screenshot where run_id = ? and ${IN_REGION} and carried_at is not null)`,
    [runId, key],
  );
  const released: object[] = await em.execute(
    `update runs.screenshot set status = 'pending', hash = null, width = null, height = null, stable = null,
       moving = '[]', moving_regions = '[]', missing = '[]', steps = '[]', diagnostics = null, selector_regions = null, attempts = 0, cut_from_height = null, browser = null,
       rendering = null, timings = null, error = null, failure_hash = null, blame = null, diff_pixels = null, diff_ratio = null, faint_pixels = 0, regions = '[]', mask_hash = null,
       ignored_pixels = '[]', fingerprint = null, explanation = null, review = null, carried_run_id = null,
       carried_screenshot_id = null, carried_by = null, carried_at = null, captured_at = null, compared_at = null,
       dispatched_at = null
     where run_id = ? and ${IN_REGION} and (captured_at is not null or status = 'failed') returning id`,
    [runId, key],
  );
  if (released.length > 0)
    await em.execute("update runs.run set recaptured_at = now() where id = ?", [runId]);
  await restoreBaselines(em, runId, key);
  await releaseQueued(em, runId);
  return released.length;
}

/** Restores the baselines chosen at submission, because the approvals that replaced them apply to other pixels. */
async function restoreBaselines(em: EntityManager, runId: string, key: string): Promise<void> {
  await em.execute(
    `update runs.screenshot s set
       baseline_hash = b."baselineHash", baseline_run_id = b."baselineRunId", baseline_reason = b."baselineReason",
       baseline_width = b."baselineWidth", baseline_height = b."baselineHeight", baseline_browser = b."baselineBrowser",
       baseline_rendering = b."baselineRendering", baseline_selector_regions = b."baselineSelectorRegions",
       replaced_baseline = null
     from runs.screenshot replaced, jsonb_to_record(replaced.replaced_baseline) as b (
       "baselineHash" text, "baselineRunId" text, "baselineReason" text, "baselineWidth" int, "baselineHeight" int,
       "baselineBrowser" text, "baselineRendering" text, "baselineSelectorRegions" jsonb)
     where s.id = replaced.id and replaced.run_id = ? and coalesce(replaced.region, '') = ?
       and replaced.replaced_baseline is not null`,
    [runId, key],
  );
}

/** Releases everything that a run still has to capture, so that it is queued again. */
export async function releaseQueued(em: EntityManager, runId: string): Promise<void> {
  await em.execute(
    "update runs.screenshot set dispatched_at = null where run_id = ? and status = 'pending' and captured_at is null",
    [runId],
  );
}
