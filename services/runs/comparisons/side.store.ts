import type { EntityManager } from "../../../mixins/database.ts";
import type { AppliedRegion } from "../../../shared/contracts/capture/ignore-region.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { isSamePage, pageColumns, pageFields } from "../page-columns.ts";

/** A page of one side of a comparison, with all that its comparison needs. */
export interface SidePage extends ScreenshotKey {
  /** Null if the page could not be captured. */
  hash: string | null;
  width: number | null;
  height: number | null;
  browser: string | null;
  runId: string;
  screenshotId: string;
  /** When it was approved or first seen. Null in a run. */
  at: Date | null;
  /** Null if its screenshot was deleted. */
  threshold: number | null;
  colorThreshold: number | null;
  ignoreRegions: AppliedRegion[] | null;
  /** Null if the image has none. */
  capsuleHash: string | null;
  error: string | null;
}

const SETTINGS = `s.threshold, s.color_threshold as "colorThreshold", s.ignore_regions as "ignoreRegions"`;
const CAPSULE = `c.capsule_hash as "capsuleHash"`;
const capsuleOf = (row: string, project: string) =>
  `left join runs.capsule c on c.project_id = ${project} and ${isSamePage("c", row)} and c.image_hash = ${row}.hash`;

/** Lists the captured and failed pages of a run. */
export function listPagesOfRun(em: EntityManager, runId: string): Promise<SidePage[]> {
  return em.execute(
    `select ${pageFields("s")}, s.hash, s.width, s.height, s.browser, s.run_id as "runId", s.id as "screenshotId",
       null as at, ${SETTINGS}, ${CAPSULE}, case when s.hash is null then s.error end as error
     from runs.screenshot s join runs.run r on r.id = s.run_id ${capsuleOf("s", "r.project_id")}
     where s.run_id = ? and (s.hash is not null or s.status = 'failed')`,
    [runId],
  );
}

/**
 * Lists the current baselines of a branch, one per page. Pages without one there have that of the default branch, as
 * in a run of the branch.
 */
export function listPagesOfBranch(
  em: EntityManager,
  projectId: string,
  { scope, defaultScope }: { scope: string; defaultScope: string },
): Promise<SidePage[]> {
  return em.execute(
    `with latest as (
       select distinct on (${pageColumns()}) * from runs.baseline where project_id = ? and scope in (?)
       order by ${pageColumns()}, scope = ? desc, seq desc
     )
     select ${pageFields("b")}, b.hash, b.width, b.height, b.browser, b.run_id as "runId",
       b.screenshot_id as "screenshotId", b.approved_at as at, ${SETTINGS}, ${CAPSULE}, null as error
     from latest b left join runs.screenshot s on s.id = b.screenshot_id ${capsuleOf("b", "b.project_id")}
     where b.hash is not null`,
    [projectId, [scope, defaultScope], scope],
  );
}

/** Returns whether a branch has an approval of its own. */
export async function hasBaselines(em: EntityManager, projectId: string, scope: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "select 1 from runs.baseline where project_id = ? and scope = ? limit 1",
    [projectId, scope],
  );
  return rows.length > 0;
}

const LOOK_FIELDS = `${pageFields("l")}, l.hash, l.width, l.height, l.browser, l.run_id as "runId",
  l.screenshot_id as "screenshotId", l.came_at as at, ${SETTINGS}, ${CAPSULE}, null as error`;
const LOOK_JOINS = `left join runs.screenshot s on s.id = l.screenshot_id ${capsuleOf("l", "l.project_id")}`;

/**
 * Lists how the pages of a monitor looked at a moment: each page's latest look until then. Without a moment, the current
 * looks.
 */
export function listPagesOfMonitor(
  em: EntityManager,
  projectId: string,
  { at, checkId }: { at: string | null; checkId: string | null },
): Promise<SidePage[]> {
  return em.execute(
    `with latest as (
       select distinct on (${pageColumns()}) * from runs.look
       where project_id = ? and came_at <= coalesce(?::timestamptz, 'infinity')
         and (?::text is null or first_check_id <= ?)
       order by ${pageColumns()}, came_at desc
     )
     select ${LOOK_FIELDS} from latest l ${LOOK_JOINS}`,
    [projectId, at, checkId, checkId],
  );
}

/** A project that holds the looks of a monitor. */
export interface MonitorProject {
  id: string;
  name: string;
}

/** Finds the projects of a monitor that have looks until a moment: one for each of its URLs, latest first. */
export function findMonitorProjects(
  em: EntityManager,
  teamId: string,
  monitorId: string,
  { at, checkId }: { at: string | null; checkId: string | null },
): Promise<MonitorProject[]> {
  return em.execute(
    `select p.id, p.name from runs.project p
     cross join lateral (
       select min(came_at) as came_at from runs.look l where l.project_id = p.id
         and came_at <= coalesce(?::timestamptz, 'infinity') and (?::text is null or first_check_id <= ?)) l
     where p.team_id = ? and (p.name = ? or starts_with(p.name, ?)) and l.came_at is not null
     order by l.came_at desc`,
    [at, checkId, checkId, teamId, `monitor/${monitorId}`, `monitor/${monitorId}/`],
  );
}

/** A look as a side, with its project. */
export interface LookSide {
  project: MonitorProject;
  page: SidePage;
}

/** Finds one look of a team's monitor. */
export async function findLookSide(em: EntityManager, teamId: string, id: string): Promise<LookSide | null> {
  const rows: (SidePage & { projectId: string; project: string })[] = await em.execute(
    `select p.id as "projectId", p.name as project, ${LOOK_FIELDS}
     from runs.look l join runs.project p on p.id = l.project_id ${LOOK_JOINS}
     where l.id = ? and p.team_id = ?`,
    [id, teamId],
  );
  const [row] = rows;
  if (!row) return null;
  const { projectId, project, ...page } = row;
  return { project: { id: projectId, name: project }, page };
}
