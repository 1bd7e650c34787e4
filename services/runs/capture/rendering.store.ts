import type { EntityManager } from "../../../mixins/database.ts";

/** The number of a run's baselines with one fingerprint. */
export interface BaselineRendering {
  runId: string;
  rendering: string;
  screenshots: number;
}

/** Counts the fingerprints of these runs' baselines. */
export function countBaselineRenderings(em: EntityManager, runIds: string[]): Promise<BaselineRendering[]> {
  return em.execute(
    `select run_id as "runId", baseline_rendering as rendering, count(*)::int as screenshots
     from runs.screenshot where run_id in (?) and baseline_rendering is not null and status <> 'removed'
     group by 1, 2`,
    [runIds],
  );
}

/** Fixes the rendering of these runs, unless it is fixed already. @returns the rendering of each run */
export async function pinRenderings(
  em: EntityManager,
  pins: { runId: string; rendering: string }[],
): Promise<Map<string, string>> {
  if (pins.length === 0) return new Map();
  const rows: { id: string; rendering: string }[] = await em.execute(
    `update runs.run r set rendering = coalesce(r.rendering, v.rendering)
     from jsonb_to_recordset(?::jsonb) as v ("runId" text, rendering text)
     where r.id = v."runId" and r.completed_at is null returning r.id, r.rendering`,
    [JSON.stringify(pins)],
  );
  return new Map(rows.map(({ id, rendering }) => [id, rendering]));
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

/** Finds runs with uncaptured screenshots, and their renderings. */
export function findPinnedRuns(em: EntityManager): Promise<{ id: string; rendering: string }[]> {
  return em.execute(
    `select r.id, r.rendering from runs.run r where r.completed_at is null and r.rendering is not null
       and exists (select from runs.screenshot s
         where s.run_id = r.id and s.status = 'pending' and s.captured_at is null)
     order by r.id`,
  );
}

/**
 * Moves a run to another fingerprint. Captures with the previous one, and failed ones, are released to be captured
 * again. Call it within a transaction.
 * @returns the number of released screenshots; null if the run has ended or was already moved
 */
export async function moveRun(
  em: EntityManager,
  run: { id: string; rendering: string },
  rendering: string,
): Promise<number | null> {
  // The run is locked before its screenshots, in the same order as when captures are recorded.
  const moved: object[] = await em.execute(
    `update runs.run set rendering = ?, status = case when status = 'comparing' then 'rendering' else status end
     where id = ? and rendering = ? and completed_at is null returning id`,
    [rendering, run.id, run.rendering],
  );
  if (moved.length === 0) return null;
  // Approvals that were carried to screenshots of the run apply to other pixels.
  await em.execute(
    "delete from runs.baseline where screenshot_id in (select id from runs.screenshot where run_id = ? and carried_at is not null)",
    [run.id],
  );
  const released: object[] = await em.execute(
    `update runs.screenshot set status = 'pending', hash = null, width = null, height = null, stable = null,
       moving = '[]', moving_regions = '[]', missing = '[]', steps = '[]', diagnostics = null, selector_regions = null, attempts = 0, cut_from_height = null, browser = null,
       rendering = null, timings = null, error = null, failure_hash = null, blame = null, diff_pixels = null, diff_ratio = null, faint_pixels = 0, regions = '[]', mask_hash = null,
       ignored_pixels = '[]', fingerprint = null, explanation = null, review = null, carried_run_id = null,
       carried_screenshot_id = null, carried_by = null, carried_at = null, captured_at = null, compared_at = null,
       dispatched_at = null
     where run_id = ? and (captured_at is not null or status = 'failed') returning id`,
    [run.id],
  );
  if (released.length > 0)
    await em.execute("update runs.run set recaptured_at = now() where id = ?", [run.id]);
  await restoreBaselines(em, run.id);
  await releaseQueued(em, run.id);
  return released.length;
}

/** Restores the baselines chosen at submission, because the approvals that replaced them apply to other pixels. */
async function restoreBaselines(em: EntityManager, runId: string): Promise<void> {
  await em.execute(
    `update runs.screenshot s set
       baseline_hash = b."baselineHash", baseline_run_id = b."baselineRunId", baseline_reason = b."baselineReason",
       baseline_width = b."baselineWidth", baseline_height = b."baselineHeight", baseline_browser = b."baselineBrowser",
       baseline_rendering = b."baselineRendering", baseline_selector_regions = b."baselineSelectorRegions",
       replaced_baseline = null
     from runs.screenshot replaced, jsonb_to_record(replaced.replaced_baseline) as b (
       "baselineHash" text, "baselineRunId" text, "baselineReason" text, "baselineWidth" int, "baselineHeight" int,
       "baselineBrowser" text, "baselineRendering" text, "baselineSelectorRegions" jsonb)
     where s.id = replaced.id and replaced.run_id = ? and replaced.replaced_baseline is not null`,
    [runId],
  );
}

/** Releases everything that a run still has to capture, so that it is queued again. */
export async function releaseQueued(em: EntityManager, runId: string): Promise<void> {
  await em.execute(
    "update runs.screenshot set dispatched_at = null where run_id = ? and status = 'pending' and captured_at is null",
    [runId],
  );
}
