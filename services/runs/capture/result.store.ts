import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { Diagnostics } from "../../../shared/contracts/capture/diagnostics.ts";
import type { AppliedRegion, SelectorRegions } from "../../../shared/contracts/capture/ignore-region.ts";
import type { StepResult } from "../../../shared/contracts/capture/step-result.ts";
import type { Explanation } from "../../../shared/contracts/runs/explanation.ts";
import type { FailedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import type { ScreenshotStatus } from "../../../shared/contracts/runs/screenshots.ts";
import { newId } from "../../../shared/ids.ts";
import type { ChosenBaseline } from "../baselines/choose-baseline.rule.ts";
import { isSamePage, pageColumns } from "../page-columns.ts";
import { isRejected } from "../reviews/review.store.ts";
import { type Screenshot, ScreenshotEntity } from "../screenshot.entity.ts";
import { RENDERING_OF } from "./rendering-of.rule.ts";

export function findPending(em: EntityManager, ids: string[]): Promise<Screenshot[]> {
  return em.find(ScreenshotEntity, { id: { $in: ids }, status: "pending" });
}

/** A capture as it is stored, with its status if it needs no comparison. */
export interface CaptureRecord extends ChosenBaseline {
  id: string;
  runId: string;
  status: ScreenshotStatus;
  /** The baseline chosen at submission, if a carried approval replaces it. */
  replacedBaseline: ChosenBaseline | null;
  hash: string;
  width: number;
  height: number;
  stable: boolean;
  moving: string[];
  missing?: string[];
  /** Null if unknown. */
  diagnostics: Diagnostics | null;
  movingRegions: Region[];
  ignoreRegions: AppliedRegion[];
  selectorRegions: SelectorRegions[] | null;
  steps?: StepResult[];
  attempts: number;
  cutFromHeight: number | null;
  browser: string | null;
  rendering: string | null;
  timings: Record<string, number>;
}

/**
 * Returns JSON that jsonb accepts. A page's text may contain a NUL or an unpaired surrogate, and one would fail the
 * whole batch.
 */
export function jsonOf(rows: object[]): string {
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
         "movingRegions" jsonb, missing jsonb, steps jsonb, diagnostics jsonb, "ignoreRegions" jsonb,
         "selectorRegions" jsonb, attempts int, "cutFromHeight" int, browser text, rendering text,
         timings jsonb, "baselineHash" text, "baselineRunId" text, "baselineReason" text, "baselineWidth" int,
         "baselineHeight" int, "baselineBrowser" text, "baselineRendering" text, "baselineSelectorRegions" jsonb,
         "replacedBaseline" jsonb)
     ), r as materialized (
       select id, renderings from runs.run where id in (select "runId" from v) order by id for share
     )
     update runs.screenshot as s set
       status = v.status, hash = v.hash, width = v.width, height = v.height, stable = v.stable, moving = v.moving,
       moving_regions = v."movingRegions", missing = coalesce(v.missing, '[]'), steps = coalesce(v.steps, '[]'),
       diagnostics = v.diagnostics, ignore_regions = v."ignoreRegions",
       selector_regions = v."selectorRegions", attempts = v.attempts, cut_from_height = v."cutFromHeight",
       browser = v.browser, rendering = v.rendering, timings = v.timings,
       baseline_hash = v."baselineHash", baseline_run_id = v."baselineRunId", baseline_reason = v."baselineReason",
       baseline_width = v."baselineWidth", baseline_height = v."baselineHeight", baseline_browser = v."baselineBrowser",
       baseline_rendering = v."baselineRendering",
       baseline_selector_regions = v."baselineSelectorRegions", replaced_baseline = v."replacedBaseline",
       diff_pixels = case when v.status = 'unchanged' then 0 end,
       diff_ratio = case when v.status = 'unchanged' then 0 end,
       captured_at = now(), dispatched_at = now(), dispatches = 1
     from v join r on r.id = v."runId"
     where s.id = v.id and s.status = 'pending' and s.captured_at is null
       and (v.rendering is null or coalesce(${RENDERING_OF}, v.rendering) = v.rendering)
     returning s.id`,
    [jsonOf(records)],
  );
  return new Set(rows.map(row => row.id));
}

/** The result of a comparison, as it is stored. */
export interface ComparisonRecord {
  id: string;
  baselineHash: string;
  hash: string;
  diffPixels: number;
  diffRatio: number;
  faintPixels: number;
  regions: object[];
  maskHash: string | null;
  ignoredPixels: number[];
  fingerprint: string | null;
  explanation: Explanation | null;
}

/**
 * Records comparisons, each once, and only if the row still has the compared pixels.
 * A change is approved at once if the run's own scope has an approval of the same change, even within the threshold. It
 * isn't if a reviewer rejects the change, or on the default branch.
 * One statement does both and locks the approvals. An undo that runs at the same time then finds the carried copies.
 */
export async function recordComparisons(em: EntityManager, records: ComparisonRecord[]): Promise<void> {
  const change = {
    ...{ projectId: "r.project_id", scope: "r.scope", page: "s" },
    ...{ hash: "v.hash", fingerprint: "v.fingerprint" },
  };
  await em.execute(
    `with v as materialized (
       select * from jsonb_to_recordset(?::jsonb) as v (
         id text, "baselineHash" text, hash text, "diffPixels" int, "diffRatio" double precision,
         "faintPixels" int, regions jsonb, "maskHash" text, "ignoredPixels" jsonb, fingerprint text, explanation jsonb, "baselineId" text)
     ), carried as (
       select v.id, r.project_id, r.scope,
         case when length(r.scm ->> 'sha') in (40, 64) then lower(r.scm ->> 'sha') end as sha, b.*
       from v join runs.screenshot s on s.id = v.id join runs.run r on r.id = s.run_id
       cross join lateral (
         select coalesce(b.origin_run_id, b.run_id) as origin_run_id,
           coalesce(b.origin_screenshot_id, b.screenshot_id) as origin_screenshot_id,
           b.approvers, b.approved_by, b.approved_at
         from runs.baseline b
         where b.project_id = r.project_id and b.scope = r.scope and ${isSamePage("b", "s")}
           and b.fingerprint = v.fingerprint
         order by b.seq desc limit 1 for share) b
       where r.scope <> r.default_scope and s.status = 'pending' and v."diffPixels" + v."faintPixels" > 0
         and not ${isRejected(change)}
     ), judged as (
       update runs.screenshot as s set
         status = case when v."diffRatio" > s.threshold then 'changed' else 'unchanged' end,
         diff_pixels = v."diffPixels", diff_ratio = v."diffRatio",
         faint_pixels = v."faintPixels", regions = v.regions,
         mask_hash = v."maskHash", ignored_pixels = v."ignoredPixels", fingerprint = v.fingerprint,
         explanation = v.explanation, compared_at = now(),
         review = case when c.id is not null then 'approved' end,
         carried_run_id = c.origin_run_id, carried_screenshot_id = c.origin_screenshot_id,
         carried_by = c.approvers, carried_at = c.approved_at
       from v left join carried c on c.id = v.id
       where s.id = v.id and s.status = 'pending' and s.hash = v.hash and s.baseline_hash = v."baselineHash"
       returning v."baselineId", c.project_id, c.scope, ${pageColumns("s")},
         case when s.story is not null then jsonb_build_object('title', s.story ->> 'title', 'name', s.story ->> 'name') end as story,
         s.hash, s.width, s.height, s.browser, s.rendering,
         s.selector_regions, s.run_id, c.sha, s.id, s.fingerprint, c.origin_run_id, c.origin_screenshot_id, c.approvers, c.approved_by,
         c.approved_at
     )
     insert into runs.baseline (id, project_id, scope, ${pageColumns()}, story, hash, width, height, browser, rendering,
       selector_regions, run_id, sha,
       screenshot_id, fingerprint, origin_run_id, origin_screenshot_id, approvers, approved_by, approved_at)
     select * from judged where origin_run_id is not null
     on conflict do nothing`,
    [jsonOf(records.map(record => ({ ...record, baselineId: newId("base") })))],
  );
}

/**
 * Finds earlier comparisons of the same two images with the same settings, one per pair, by the pair's id. The
 * explanation of another project's comparison is left out, and one that names files of another commit.
 */
export async function findComparisons(
  em: EntityManager,
  pairs: {
    id: string;
    runId: string;
    baselineHash: string;
    hash: string;
    colorThreshold: number;
    ignoreRegions: AppliedRegion[];
  }[],
): Promise<Map<string, Screenshot>> {
  if (pairs.length === 0) return new Map();
  const rows: { pairId: string; id: string; isExplained: boolean }[] = await em.execute(
    `select v.id as "pairId", made.*
     from jsonb_to_recordset(?::jsonb) as v (
       id text, "runId" text, "baselineHash" text, hash text, "colorThreshold" double precision, "ignoreRegions" jsonb)
     join runs.run own on own.id = v."runId"
     cross join lateral (
       select s.id, r.project_id = own.project_id and s.explanation is not null
           and (r.changed_files is not distinct from own.changed_files
               and r.scm ->> 'baseSha' is not distinct from own.scm ->> 'baseSha'
             or not jsonb_path_exists(s.explanation, '$.causes[*].file.since')) as "isExplained"
       from runs.screenshot s join runs.run r on r.id = s.run_id
       where s.baseline_hash = v."baselineHash" and s.hash = v.hash and s.color_threshold = v."colorThreshold"
         and s.ignore_regions = v."ignoreRegions"
         and jsonb_array_length(s.ignored_pixels) = jsonb_array_length(v."ignoreRegions")
         and s.compared_at is not null
       order by "isExplained" desc limit 1) made`,
    [JSON.stringify(pairs)],
  );
  const made = await em.find(ScreenshotEntity, { id: { $in: rows.map(row => row.id) } });
  const byId = new Map(made.map(screenshot => [screenshot.id, screenshot]));
  return new Map(
    rows.flatMap(({ pairId, id, isExplained }) => {
      const screenshot = byId.get(id);
      const explanation = isExplained ? (screenshot?.explanation ?? null) : null;
      return screenshot ? [[pairId, { ...screenshot, explanation }]] : [];
    }),
  );
}

/**
 * Fails screenshots, each only at its current stage. A job that ran twice may have captured one that its other attempt
 * couldn't.
 */
export async function recordFailures(
  em: EntityManager,
  failures: Omit<FailedScreenshot, "runId" | "heldMs">[],
): Promise<void> {
  await em.execute(
    `update runs.screenshot as s set status = 'failed', error = v.reason, blame = v.blame,
       diagnostics = coalesce(v.diagnostics, s.diagnostics), steps = coalesce(v.steps, s.steps),
       failure_hash = v."failureHash"
     from jsonb_to_recordset(?::jsonb) as v (
       "screenshotId" text, stage text, reason text, blame text, diagnostics jsonb, steps jsonb, "failureHash" text)
     where s.id = v."screenshotId" and s.status = 'pending' and (s.captured_at is null) = (v.stage = 'capture')`,
    [jsonOf(failures)],
  );
}
