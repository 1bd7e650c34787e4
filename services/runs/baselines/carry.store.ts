import type { EntityManager } from "../../../mixins/database.ts";
import { newId } from "../../../shared/ids.ts";
import { isRejected } from "../reviews/review.store.ts";
import { type Screenshot, ScreenshotEntity } from "../screenshot.entity.ts";

/** The result of a comparison, as it is stored. */
export interface ComparisonRecord {
  id: string;
  baselineHash: string;
  hash: string;
  diffPixels: number;
  diffRatio: number;
  regions: object[];
  maskHash: string | null;
  ignoredPixels: number[];
  fingerprint: string | null;
}

/**
 * Records comparisons, each once, and only if the row still has the compared pixels.
 * A change is approved at once if the run's own scope has an approval of the same change, even within the threshold. It
 * isn't if a reviewer rejects the change, or on the default branch.
 * One statement does both and locks the approvals. An undo that runs at the same time then finds the carried copies.
 */
export async function recordComparisons(em: EntityManager, records: ComparisonRecord[]): Promise<void> {
  const change = {
    ...{ projectId: "r.project_id", scope: "r.scope", route: "s.route", viewport: "s.viewport" },
    ...{ hash: "v.hash", fingerprint: "v.fingerprint" },
  };
  await em.execute(
    `with v as materialized (
       select * from jsonb_to_recordset(?::jsonb) as v (
         id text, "baselineHash" text, hash text, "diffPixels" int, "diffRatio" double precision, regions jsonb,
         "maskHash" text, "ignoredPixels" jsonb, fingerprint text, "baselineId" text)
     ), carried as (
       select v.id, r.project_id, r.scope,
         case when length(r.scm ->> 'sha') in (40, 64) then lower(r.scm ->> 'sha') end as sha, b.*
       from v join runs.screenshot s on s.id = v.id join runs.run r on r.id = s.run_id
       cross join lateral (
         select coalesce(b.origin_run_id, b.run_id) as origin_run_id,
           coalesce(b.origin_screenshot_id, b.screenshot_id) as origin_screenshot_id,
           b.approvers, b.approved_by, b.approved_at
         from runs.baseline b
         where b.project_id = r.project_id and b.scope = r.scope and b.route = s.route and b.viewport = s.viewport
           and b.fingerprint = v.fingerprint
         order by b.seq desc limit 1 for share) b
       where r.scope <> r.default_scope and s.status = 'pending' and v."diffPixels" > 0
         and not ${isRejected(change)}
     ), judged as (
       update runs.screenshot as s set
         status = case when v."diffRatio" > s.threshold then 'changed' else 'unchanged' end,
         diff_pixels = v."diffPixels", diff_ratio = v."diffRatio", regions = v.regions,
         mask_hash = v."maskHash", ignored_pixels = v."ignoredPixels", fingerprint = v.fingerprint,
         compared_at = now(),
         review = case when c.id is not null then 'approved' end,
         carried_run_id = c.origin_run_id, carried_screenshot_id = c.origin_screenshot_id,
         carried_by = c.approvers, carried_at = c.approved_at
       from v left join carried c on c.id = v.id
       where s.id = v.id and s.status = 'pending' and s.hash = v.hash and s.baseline_hash = v."baselineHash"
       returning v."baselineId", c.project_id, c.scope, s.route, s.viewport, s.hash, s.width, s.height, s.browser, s.rendering,
         s.run_id, c.sha, s.id, s.fingerprint, c.origin_run_id, c.origin_screenshot_id, c.approvers, c.approved_by,
         c.approved_at
     )
     insert into runs.baseline (id, project_id, scope, route, viewport, hash, width, height, browser, rendering, run_id, sha,
       screenshot_id, fingerprint, origin_run_id, origin_screenshot_id, approvers, approved_by, approved_at)
     select * from judged where origin_run_id is not null
     on conflict do nothing`,
    [JSON.stringify(records.map(record => ({ ...record, baselineId: newId("base") })))],
  );
}

/** Finds the runs with screenshots that were approved because of these, in locking order. */
export async function findRunsCarriedTo(em: EntityManager, screenshotIds: string[]): Promise<string[]> {
  if (screenshotIds.length === 0) return [];
  const rows: { id: string }[] = await em.execute(
    `select distinct s.run_id as id from jsonb_array_elements_text(?::jsonb) as v (id)
     join runs.screenshot s on s.carried_screenshot_id = v.id order by 1`,
    [JSON.stringify(screenshotIds)],
  );
  return rows.map(row => row.id);
}

/** Finds a run's screenshots that were approved because of these. */
export function findCarriedTo(
  em: EntityManager,
  runId: string,
  screenshotIds: string[],
): Promise<Screenshot[]> {
  return em.find(ScreenshotEntity, { runId, carriedScreenshotId: { $in: screenshotIds } });
}
