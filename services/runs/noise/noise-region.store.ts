import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { newId } from "../../../shared/ids.ts";
import { isPage, pageColumns, pageFields, pageValues } from "../page-columns.ts";

/** An accepted ignore region of a page. */
export interface IgnoreRegion extends Region, ScreenshotKey {
  id: string;
  projectId: string;
  project: string;
  reason: string | null;
  decidedBy: string;
  decidedAt: Date;
}

export type NoiseVerdict = "accepted" | "dismissed";

/** A decision on a region of a page. */
export interface RegionDecision extends Region, ScreenshotKey {
  projectId: string;
  verdict: NoiseVerdict;
  reason: string | null;
  /** Name of the user or API key. */
  decidedBy: string;
}

const REGION = `n.id, n.project_id as "projectId", p.name as project, ${pageFields("n")}, n.x, n.y, n.width, n.height,
    n.reason, n.decided_by as "decidedBy", n.decided_at as "decidedAt"
  from runs.noise_region n join runs.project p on p.id = n.project_id`;

/** Finds the ignore regions of a project's pages, in a fixed order. */
export function findIgnoreRegions(em: EntityManager, projectId: string): Promise<(Region & ScreenshotKey)[]> {
  return em.execute(
    `select ${pageFields()}, x, y, width, height from runs.noise_region
     where project_id = ? and verdict = 'accepted' order by ${pageColumns()}, y, x, height, width`,
    [projectId],
  );
}

/** Finds the decisions on regions of a project's pages. */
export function findDecidedRegions(
  em: EntityManager,
  projectId: string,
): Promise<(Region & ScreenshotKey & { verdict: NoiseVerdict; at: Date })[]> {
  return em.execute(
    `select ${pageFields()}, x, y, width, height, verdict, decided_at as at from runs.noise_region
     where project_id = ?`,
    [projectId],
  );
}

/**
 * Lists a project's ignore regions, latest first, before that one. Returns one row more than the limit if there are
 * more.
 */
export function listIgnoreRegions(
  em: EntityManager,
  teamId: string,
  project: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<IgnoreRegion[]> {
  return em.execute(
    `select ${REGION} where p.team_id = ? and p.name = ? and n.verdict = 'accepted'
       ${before === undefined ? "" : "and n.id < ?"}
     order by n.id desc limit ?`,
    [teamId, project, ...(before === undefined ? [] : [before]), limit + 1],
  );
}

/** Counts the regions with a verdict: of one page, and of all pages of its project. */
export async function countRegions(
  em: EntityManager,
  { projectId, verdict, ...page }: ScreenshotKey & Pick<RegionDecision, "projectId" | "verdict">,
): Promise<{ ofPage: number; ofProject: number }> {
  const rows: { ofPage: number; ofProject: number }[] = await em.execute(
    `select count(*) filter (where ${isPage("n")})::int as "ofPage", count(*)::int as "ofProject"
     from runs.noise_region n where n.project_id = ? and n.verdict = ?`,
    [...pageValues(page), projectId, verdict],
  );
  return rows[0] ?? { ofPage: 0, ofProject: 0 };
}

/**
 * Writes a decision on a region, and replaces a dismissal of the same region. An accepted region stays accepted until
 * it is removed. @returns the region, and whether anything was written
 */
export async function putRegion(
  em: EntityManager,
  decision: RegionDecision,
): Promise<{ region: IgnoreRegion | null; isChanged: boolean }> {
  const { projectId, x, y, width, height, verdict, reason, decidedBy } = decision;
  const page = pageValues(decision);
  const written: object[] = await em.execute(
    `insert into runs.noise_region as n
       (id, project_id, ${pageColumns()}, x, y, width, height, verdict, reason, decided_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (project_id, ${pageColumns()}, x, y, width, height) do update
       set id = excluded.id, verdict = excluded.verdict, reason = excluded.reason, decided_by = excluded.decided_by,
         decided_at = now()
       where n.verdict = 'dismissed'
     returning id`,
    [newId("ign"), projectId, ...page, x, y, width, height, verdict, reason, decidedBy],
  );
  const rows: IgnoreRegion[] = await em.execute(
    `select ${REGION} where n.project_id = ? and ${isPage("n")} and n.x = ? and n.y = ?
       and n.width = ? and n.height = ?`,
    [projectId, ...page, x, y, width, height],
  );
  return { region: rows[0] ?? null, isChanged: written.length > 0 };
}

/** Deletes an ignore region of a team's project. @returns the region, to the one caller who deleted it */
export async function removeRegion(
  em: EntityManager,
  teamId: string,
  id: string,
): Promise<IgnoreRegion | null> {
  const [region]: IgnoreRegion[] = await em.execute(
    `select ${REGION} where p.team_id = ? and n.id = ? and n.verdict = 'accepted'`,
    [teamId, id],
  );
  if (!region) return null;
  const deleted: object[] = await em.execute(
    "delete from runs.noise_region where id = ? and verdict = 'accepted' returning id",
    [id],
  );
  return deleted.length === 1 ? region : null;
}

/** Returns only the fields of the region. */
export function regionOf({ x, y, width, height }: Region): Region {
  return { x, y, width, height };
}
