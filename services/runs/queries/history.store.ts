import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { MirrorSetting } from "../../../shared/contracts/reviews/mirror.ts";
import type { ReviewState } from "../../../shared/contracts/reviews/review-view.ts";
import type { ListProjectsQuery } from "../../../shared/contracts/runs/projects.ts";
import type { ScreenshotStatus } from "../../../shared/contracts/runs/screenshots.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import { isPage, isSamePage, pageColumns, pageFields, pageValues } from "../page-columns.ts";
import { isRejected } from "../reviews/review.store.ts";

/** An approval with its run and screenshot, if they still exist. */
export interface StoredBaseline extends ScreenshotKey {
  id: string;
  /** Position in the order of all approvals, as a 64-bit number. */
  seq: string;
  project: string;
  scope: string;
  hash: string | null;
  width: number | null;
  height: number | null;
  browser: string | null;
  runId: string;
  screenshotId: string;
  originRunId: string | null;
  approvers: string[];
  approvedAt: Date;
  restoredBy: string | null;
  restoredAt: Date | null;
  runKept: boolean;
  commit: string | null;
  isCurrent: boolean;
  diffRatio: number | null;
  regions: Region[] | null;
  maskHash: string | null;
  beforeHash: string | null;
  beforeWidth: number | null;
  beforeHeight: number | null;
}

const LATER = `select from runs.baseline newer where newer.project_id = b.project_id and newer.scope = b.scope
  and ${isSamePage("newer", "b")} and newer.seq > b.seq`;

const BASELINE = `select b.id, b.seq::text as seq, p.name as project, b.scope, ${pageFields("b")}, b.hash, b.width,
    b.height, b.browser, b.run_id as "runId", b.screenshot_id as "screenshotId", b.origin_run_id as "originRunId",
    b.approvers, b.approved_at as "approvedAt", b.restored_by as "restoredBy", b.restored_at as "restoredAt",
    r.id is not null as "runKept", r.scm->>'sha' as "commit", not exists (${LATER}) as "isCurrent",
    s.diff_ratio as "diffRatio", s.regions, s.mask_hash as "maskHash", s.baseline_hash as "beforeHash",
    s.baseline_width as "beforeWidth", s.baseline_height as "beforeHeight"
  from runs.project p join runs.baseline b on b.project_id = p.id
  left join runs.run r on r.id = b.run_id left join runs.screenshot s on s.id = b.screenshot_id`;

/** Selects baselines of a project. */
export interface BaselineFilter {
  project: string;
  /** Null for the default branch. */
  scope: string | null;
  route?: string | undefined;
  /** Null for the pages' own screenshots. */
  state?: string | null | undefined;
  /** Null for the default environment. */
  environment?: string | null | undefined;
  viewport?: number | undefined;
  /** Part of the route. */
  find?: string | undefined;
}

/**
 * Lists the current baselines of one scope by page, after that page. Returns one row more than the limit
 * if there are more.
 */
export function listCurrentBaselines(
  em: EntityManager,
  teamId: string,
  { project, scope, route, state, environment, viewport, find }: BaselineFilter,
  { limit, after }: { limit: number; after: ScreenshotKey | null },
): Promise<StoredBaseline[]> {
  const conditions: [sql: string, ...values: (string | number)[]][] = [
    ["p.team_id = ? and p.name = ?", teamId, project],
    scope === null ? ["b.scope = 'branch:' || p.default_branch"] : ["b.scope = ?", scope],
    [`b.hash is not null and not exists (${LATER})`],
  ];
  if (route !== undefined) conditions.push(["b.route = ?", route]);
  if (state !== undefined) conditions.push(["b.state = ?", state ?? ""]);
  if (environment !== undefined) conditions.push(["b.environment = ?", environment ?? ""]);
  if (viewport !== undefined) conditions.push(["b.viewport = ?", viewport]);
  if (find) conditions.push(["strpos(lower(b.route), lower(?)) > 0", find]);
  if (after) conditions.push([`(${pageColumns("b")}) > (?, ?, ?, ?)`, ...pageValues(after)]);
  return em.execute(
    `${BASELINE} where ${conditions.map(([sql]) => sql).join(" and ")} order by ${pageColumns("b")} limit ?`,
    [...conditions.flatMap(([, ...values]) => values), limit + 1],
  );
}

/** Selects one page of a project. */
export interface PageHistoryFilter extends ScreenshotKey {
  project: string;
  /** Null for all scopes. */
  scope: string | null;
}

/**
 * Lists the remaining approvals of a page, latest first, before that one. Returns one row more than the limit if there
 * are more.
 */
export function listApprovals(
  em: EntityManager,
  teamId: string,
  { project, scope, ...page }: PageHistoryFilter,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<StoredBaseline[]> {
  return em.execute(
    `${BASELINE} where p.team_id = ? and p.name = ? and ${isPage("b")}
       ${scope === null ? "" : "and b.scope = ?"} ${before === undefined ? "" : "and b.seq < ?"}
     order by b.seq desc limit ?`,
    [
      ...[teamId, project, ...pageValues(page)],
      ...(scope === null ? [] : [scope]),
      ...(before === undefined ? [] : [before]),
      limit + 1,
    ],
  );
}

/** Returns the team's approval with this id. */
export async function findBaseline(
  em: EntityManager,
  teamId: string,
  id: string,
): Promise<StoredBaseline | null> {
  const rows: StoredBaseline[] = await em.execute(`${BASELINE} where p.team_id = ? and b.id = ?`, [
    teamId,
    id,
  ]);
  return rows[0] ?? null;
}

/**
 * Makes an approval the latest of its scope again, unless it already is or a reviewer rejects its screenshot.
 * @returns whether this call did it
 */
export async function restoreBaseline(
  em: EntityManager,
  teamId: string,
  id: string,
  restorer: string,
): Promise<boolean> {
  const change = {
    ...{ projectId: "b.project_id", scope: "b.scope", page: "b" },
    ...{ hash: "b.hash", fingerprint: "b.fingerprint" },
  };
  const rows: object[] = await em.execute(
    `update runs.baseline b set seq = default, restored_by = ?, restored_at = now()
     where b.id = ? and b.project_id in (select p.id from runs.project p where p.team_id = ?)
       and exists (${LATER}) and not ${isRejected(change)}
     returning b.id`,
    [restorer, id, teamId],
  );
  return rows.length === 1;
}

/** A page in one run. */
export interface StoredAppearance {
  id: string;
  runId: string;
  scope: string;
  commit: string | null;
  at: Date;
  status: ScreenshotStatus;
  review: ReviewState | null;
  carried: boolean;
  diffRatio: number | null;
  diffPixels: number | null;
  faintPixels: number;
  width: number | null;
  height: number | null;
  hash: string | null;
  stable: boolean | null;
  attempts: number;
  browser: string | null;
  timings: Record<string, number> | null;
}

/**
 * Lists a page in the runs of its project, newest first, before that run. Returns one row more than the limit if there
 * are more.
 */
export function listAppearances(
  em: EntityManager,
  teamId: string,
  { project, scope, ...page }: PageHistoryFilter,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<StoredAppearance[]> {
  return em.execute(
    `select s.id, r.id as "runId", r.scope, r.scm->>'sha' as "commit", r.created_at as at, s.status, s.review,
       s.carried_run_id is not null as carried, s.diff_ratio as "diffRatio", s.diff_pixels as "diffPixels",
       s.faint_pixels as "faintPixels", s.width, s.height,
       s.hash, s.stable, s.attempts, s.browser, s.timings
     from runs.project p join runs.run r on r.project_id = p.id
     join runs.screenshot s on s.run_id = r.id and ${isPage("s")}
     where p.team_id = ? and p.name = ? and r.kind = 'run'
       ${scope === null ? "" : "and r.scope = ?"} ${before === undefined ? "" : "and r.id < ?"}
     order by r.id desc limit ?`,
    [
      ...[...pageValues(page), teamId, project],
      ...(scope === null ? [] : [scope]),
      ...(before === undefined ? [] : [before]),
      limit + 1,
    ],
  );
}

/** A project and its scopes with approvals. */
export interface StoredProject {
  id: string;
  name: string;
  defaultBranch: string;
  createdAt: Date;
  nullReruns: boolean;
  mirrorThreads: MirrorSetting;
  requiredApprovals: number | null;
  allowSelfApproval: boolean | null;
  retentionDays: number | null;
  linkDays: number | null;
  scopes: string[];
}

/** More than a user can choose from. */
const MAX_SCOPES = 100;

// The recursion jumps from scope to scope by the index. It reads a bounded number of approvals, however many a project
// has.
const PROJECT = `select p.id, p.name, p.default_branch as "defaultBranch", p.created_at as "createdAt",
     p.null_reruns as "nullReruns", p.mirror_threads as "mirrorThreads",
     p.required_approvals as "requiredApprovals", p.allow_self_approval as "allowSelfApproval",
     p.retention_days as "retentionDays", p.link_days as "linkDays", (
       with recursive scopes (scope) as (
         select min(b.scope) from runs.baseline b where b.project_id = p.id
         union all
         select (select min(b.scope) from runs.baseline b where b.project_id = p.id and b.scope > scopes.scope)
         from scopes where scopes.scope is not null)
       select coalesce(json_agg(known.scope), '[]')
       from (select scope from scopes where scope is not null limit ${MAX_SCOPES}) known) as scopes
     from runs.project p`;

/** Returns the team's project with this id. */
export async function findStoredProject(
  em: EntityManager,
  teamId: string,
  id: string,
): Promise<StoredProject | null> {
  const rows: StoredProject[] = await em.execute(`${PROJECT} where p.team_id = ? and p.id = ?`, [teamId, id]);
  return rows[0] ?? null;
}

/** Lists the team's projects, newest first. Returns one row more than the limit if there are more. */
export function listProjects(
  em: EntityManager,
  teamId: string,
  { find, monitors, limit }: ListProjectsQuery,
  before: string | undefined,
): Promise<StoredProject[]> {
  return em.execute(
    `${PROJECT} where p.team_id = ?
       ${monitors === "0" ? `and p.name not like '${MONITOR_PROJECTS}%'` : ""}
       ${find ? "and strpos(lower(p.name), lower(?)) > 0" : ""} ${before === undefined ? "" : "and p.id < ?"}
     order by p.id desc limit ?`,
    [teamId, ...(find ? [find] : []), ...(before === undefined ? [] : [before]), limit + 1],
  );
}
