import type { EntityManager } from "../../../mixins/database.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { isSamePage, PAGE_RECORD, pageColumns, pageFields, pageRowOf } from "../page-columns.ts";
import type { Run } from "../run.entity.ts";
import { MINOR } from "../run.store.ts";
import type { PageDay } from "./flake-score.rule.ts";
import type { NoiseObservation } from "./suggest-regions.rule.ts";

/** Number of largest regions that an observation keeps. The others are small beside them. */
const REGIONS_OF_AN_OBSERVATION = 10;

const largestRegions = (regions: string) =>
  `(select coalesce(jsonb_agg(r), '[]') from (
     select r from jsonb_array_elements(${regions}) r
     order by (r ->> 'width')::bigint * (r ->> 'height')::bigint desc limit ${REGIONS_OF_AN_OBSERVATION}) largest)`;

const PAGE = `${pageColumns("s")}, (s.captured_at at time zone 'UTC')::date`;
const IMAGE_SIZE = `greatest(coalesce(s.width, 0), coalesce(s.baseline_width, 0)),
  greatest(coalesce(s.height, 0), coalesce(s.baseline_height, 0))`;

/**
 * Records noise in the screenshots of an ended run, each once: unstable captures, and captures that were retried until
 * two screenshots agreed.
 * Regions that differed within a capture are noise on every branch. Regions that differ from the baseline are noise
 * only on the default branch. On other branches, an intended change is among them and returns with every push.
 */
export async function noteUnstable(
  em: EntityManager,
  { id, projectId, scope, defaultScope }: Pick<Run, "id" | "projectId" | "scope" | "defaultScope">,
): Promise<void> {
  const changed =
    scope === defaultScope ? "case when s.stable then '[]'::jsonb else s.regions end" : "'[]'::jsonb";
  await em.execute(
    `insert into runs.noise_observation
       (screenshot_id, kind, run_id, project_id, ${pageColumns()}, day, image_width, image_height, regions)
     select s.id, case when s.stable then 'retried' else 'unstable' end, s.run_id, ?, ${PAGE}, ${IMAGE_SIZE},
       ${largestRegions(`s.moving_regions || ${changed}`)}
     from runs.screenshot s
     where s.run_id = ? and s.captured_at is not null and (not s.stable or s.moving_regions <> '[]')
     on conflict do nothing`,
    [projectId, id],
  );
}

/** Records the false alarms of an ended null rerun, each once. */
export async function noteFalseAlarms(
  em: EntityManager,
  { id, projectId }: Pick<Run, "id" | "projectId">,
): Promise<void> {
  await em.execute(
    `insert into runs.noise_observation
       (screenshot_id, kind, run_id, project_id, ${pageColumns()}, day, image_width, image_height, regions)
     select s.id, 'nullRerun', s.run_id, ?, ${PAGE}, ${IMAGE_SIZE}, ${largestRegions("s.regions")}
     from runs.screenshot s where s.run_id = ? and s.status = 'changed' and s.captured_at is not null
     on conflict do nothing`,
    [projectId, id],
  );
}

/** Counts the captures of an ended run by page and day. Call it once per run. */
export async function countCaptures(
  em: EntityManager,
  { id, projectId }: Pick<Run, "id" | "projectId">,
): Promise<void> {
  // The fixed order keeps two runs that end at the same time from deadlocking.
  await em.execute(
    `insert into runs.page_day (project_id, ${pageColumns()}, day, captures)
     select ?, ${PAGE}, 1 from runs.screenshot s where s.run_id = ? and s.captured_at is not null
     order by ${pageColumns("s")}
     on conflict (project_id, ${pageColumns()}, day) do update set captures = page_day.captures + 1`,
    [projectId, id],
  );
}

/** Records which of these screenshots reviewers rejected as noise, and removes the record from the others. */
export async function noteRejectedAsNoise(
  em: EntityManager,
  { id, projectId }: Pick<Run, "id" | "projectId">,
  { noise, others }: { noise: string[]; others: string[] },
): Promise<void> {
  if (noise.length > 0) {
    await em.execute(
      `insert into runs.noise_observation
         (screenshot_id, kind, run_id, project_id, ${pageColumns()}, day, image_width, image_height, regions)
       select s.id, 'rejectedAsNoise', s.run_id, ?, ${PAGE}, ${IMAGE_SIZE}, ${largestRegions("s.regions")}
       from jsonb_array_elements_text(?::jsonb) as v (id) join runs.screenshot s on s.id = v.id
       where s.run_id = ? and (s.status = 'changed' or ${MINOR}) and s.captured_at is not null
       on conflict do nothing`,
      [projectId, JSON.stringify(noise), id],
    );
  }
  if (others.length > 0) {
    await em.execute(
      `delete from runs.noise_observation where kind = 'rejectedAsNoise'
         and screenshot_id in (select jsonb_array_elements_text(?::jsonb))`,
      [JSON.stringify(others)],
    );
  }
}

/** Finds a run's pages on which noise was observed in captures since that day. */
export function findNoisyPagesOfRun(
  em: EntityManager,
  { id, projectId }: Pick<Run, "id" | "projectId">,
  since: string,
): Promise<ScreenshotKey[]> {
  return em.execute(
    `select ${pageFields("s")} from runs.screenshot s where s.run_id = ? and exists (
       select from runs.noise_observation o where o.project_id = ? and ${isSamePage("o", "s")}
         and o.noted_at >= ?::date and o.day >= ?)`,
    [id, projectId, since, since],
  );
}

/** Number of latest observations that rank a project's noisiest pages. */
const OBSERVATIONS_RANKED = 20_000;

/** Finds the pages of a project with the most noise in its latest observations, most first. */
export function findNoisyPages(em: EntityManager, projectId: string, limit: number): Promise<NoisyPage[]> {
  return em.execute(
    `select ${pageFields("latest")}, max(noted_at) as "lastAt" from (
       select ${pageColumns()}, noted_at, screenshot_id from runs.noise_observation where project_id = ?
       order by noted_at desc limit ${OBSERVATIONS_RANKED}) latest
     group by ${pageColumns("latest")} order by count(distinct screenshot_id) desc, ${pageColumns("latest")} limit ?`,
    [projectId, limit],
  );
}

/** A page on which noise was observed. */
export interface NoisyPage extends ScreenshotKey {
  lastAt: Date;
}

/** Finds the days since that one on which these pages of a project were captured. */
export function findPageDays(
  em: EntityManager,
  projectId: string,
  pages: ScreenshotKey[],
  since: string,
): Promise<(ScreenshotKey & PageDay)[]> {
  if (pages.length === 0) return Promise.resolve([]);
  return em.execute(
    `with page as (
       select * from jsonb_to_recordset(?::jsonb) as p (${PAGE_RECORD})
     ), noisy as (
       select ${pageColumns("o")}, o.day, count(distinct o.screenshot_id)::int as noisy
       from page p join runs.noise_observation o
         on o.project_id = ? and ${isSamePage("o", "p")}
       where o.noted_at >= ?::date and o.day >= ? group by ${pageColumns("o")}, o.day
     )
     select ${pageFields("d")}, d.day::text as day, d.captures, coalesce(n.noisy, 0) as noisy
     from page p join runs.page_day d on d.project_id = ? and ${isSamePage("d", "p")}
     left join noisy n on ${isSamePage("n", "d")} and n.day = d.day
     where d.day >= ?`,
    [JSON.stringify(pages.map(pageRowOf)), projectId, since, since, projectId, since],
  );
}

/** Enough to find a region that appears in one of ten screenshots. */
const OBSERVATIONS_OF_A_PAGE = 30;

/** Finds the latest observations of these pages of a project. */
export function findObservations(
  em: EntityManager,
  projectId: string,
  pages: ScreenshotKey[],
): Promise<(ScreenshotKey & NoiseObservation)[]> {
  if (pages.length === 0) return Promise.resolve([]);
  return em.execute(
    `select o.* from jsonb_to_recordset(?::jsonb) as p (${PAGE_RECORD})
     cross join lateral (
       select ${pageFields("n")}, screenshot_id as "screenshotId", kind, noted_at as "notedAt",
         image_width as "imageWidth", image_height as "imageHeight", regions
       from runs.noise_observation n
       where project_id = ? and ${isSamePage("n", "p")} and regions <> '[]'
       order by noted_at desc limit ${OBSERVATIONS_OF_A_PAGE}) o`,
    [JSON.stringify(pages.map(pageRowOf)), projectId],
  );
}

/** Writes the flake scores of pages into a run's screenshots. */
export async function writeScores(
  em: EntityManager,
  runId: string,
  scores: (ScreenshotKey & { score: number })[],
): Promise<void> {
  if (scores.length === 0) return;
  await em.execute(
    `update runs.screenshot s set flake_score = v.score
     from jsonb_to_recordset(?::jsonb) as v (${PAGE_RECORD}, score double precision)
     where s.run_id = ? and ${isSamePage("s", "v")}`,
    [JSON.stringify(scores.map(each => ({ ...pageRowOf(each), score: each.score }))), runId],
  );
}

/** The image of a screenshot. */
export interface StoredImage {
  id: string;
  runId: string;
  hash: string;
  width: number;
  height: number;
}

/** Finds the images of those screenshots that still exist. */
export function findImages(em: EntityManager, screenshotIds: string[]): Promise<StoredImage[]> {
  if (screenshotIds.length === 0) return Promise.resolve([]);
  return em.execute(
    `select id, run_id as "runId", hash, width, height from runs.screenshot
     where id in (select jsonb_array_elements_text(?::jsonb)) and hash is not null`,
    [JSON.stringify(screenshotIds)],
  );
}

/** Days for which observations are kept. It is the longest retention of all plans. */
const RETENTION_DAYS = 90;

/** Deletes data on noise that is too old to count. @returns the number of deleted rows */
export async function deleteOldNoise(em: EntityManager, teamId: string, limit: number): Promise<number> {
  const projects = "project_id in (select id from runs.project where team_id = ?)";
  const old = `now() - interval '${RETENTION_DAYS} days'`;
  let deleted = 0;
  for (const [table, isOld] of [
    ["noise_observation", `noted_at < ${old}`],
    ["page_day", `day < (${old})::date`],
    ["noise_region", `verdict = 'dismissed' and decided_at < ${old} or expires_at < ${old}`],
    ["null_rerun", `planned_at < ${old}`],
  ]) {
    const rows: object[] = await em.execute(
      `delete from runs.${table} where ctid in (
         select ctid from runs.${table} where (${isOld}) and ${projects} limit ?) returning 1 as deleted`,
      [teamId, limit],
    );
    deleted += rows.length;
  }
  return deleted;
}
