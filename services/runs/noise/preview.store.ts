import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { isPage, pageFields, pageRowOf, pageValues } from "../page-columns.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import type { RuleEffect } from "./ignore-rule.rule.ts";

/** A changed screenshot whose changed pixels are stored. */
export interface PreviewedScreenshot extends ScreenshotKey {
  id: string;
  runId: string;
  at: Date;
  hash: string;
  imageWidth: number;
  imageHeight: number;
  diffPixels: number;
  threshold: number;
  regions: Region[];
  ignoreRegions: Region[];
  maskHash: string;
  review: Screenshot["review"];
  /** Whether a reviewer rejected it as noise. */
  isNoise: boolean;
}

const LAST_RUNS = `select id, created_at from runs.run
  where project_id = ? and kind = 'run' and status = 'completed' order by id desc limit ?`;

/** Finds the changed screenshots of a project's last completed runs to which a rule applies, latest first. */
export function findChangedScreenshots(
  em: EntityManager,
  projectId: string,
  rule: Pick<RuleEffect, "appliesTo" | keyof ScreenshotKey>,
  { runs, screenshots }: { runs: number; screenshots: number },
): Promise<PreviewedScreenshot[]> {
  const [condition, values] = pagesOf(rule);
  return em.execute(
    `select s.id, s.run_id as "runId", r.created_at as at, ${pageFields("s")}, s.hash, s.width as "imageWidth",
       s.height as "imageHeight", s.diff_pixels as "diffPixels", s.threshold, s.regions,
       s.ignore_regions as "ignoreRegions", s.mask_hash as "maskHash", s.review,
       exists (select from runs.review v where v.screenshot_id = s.id and v.noise) as "isNoise"
     from (${LAST_RUNS}) r join runs.screenshot s on s.run_id = r.id
     where s.status = 'changed' and s.mask_hash is not null and s.diff_pixels > 0 and ${condition}
     order by s.run_id desc, s.position limit ?`,
    [projectId, runs, ...values, screenshots],
  );
}

/** Counts a project's last completed runs. */
export async function countLastRuns(em: EntityManager, projectId: string, runs: number): Promise<number> {
  const [row]: { count: number }[] = await em.execute(`select count(*)::int as count from (${LAST_RUNS}) r`, [
    projectId,
    runs,
  ]);
  return row?.count ?? 0;
}

function pagesOf(
  rule: Pick<RuleEffect, "appliesTo" | keyof ScreenshotKey>,
): [condition: string, values: (string | number)[]] {
  if (rule.appliesTo === "project") return ["true", []];
  if (rule.appliesTo === "page") return [isPage("s"), pageValues(rule)];
  const { route, state, environment } = pageRowOf(rule);
  return ["s.route = ? and s.state = ? and s.environment = ?", [route, state, environment]];
}
