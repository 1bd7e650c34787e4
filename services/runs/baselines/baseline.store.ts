import { type FilterQuery, LockMode } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import { type Project, ProjectEntity } from "../project.entity.ts";
import { isRejected } from "../reviews/review.store.ts";
import { type Baseline, BaselineEntity } from "./baseline.entity.ts";

/** Finds the latest approvals of a project in these scopes: one per scope, route, and viewport. */
export async function findLatestBaselines(
  em: EntityManager,
  projectId: string,
  scopes: string[],
): Promise<Baseline[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct on (scope, route, viewport) id from runs.baseline
     where project_id = ? and scope in (?)
     order by scope, route, viewport, seq desc`,
    [projectId, [...new Set(scopes)]],
  );
  return em.find(BaselineEntity, { id: { $in: rows.map(row => row.id) } });
}

/** The scopes between which a merge carries approvals. */
export interface Merge {
  /** Scope of the pull request. */
  from: string;
  /** Scope of its branch, with the merged commit. Null if approvals on the branch aren't carried. */
  head: { scope: string; sha: string } | null;
  to: string;
}

/**
 * Finds the approvals that a merge carries: the latest of each page.
 * These are the approvals of the pull request, and approvals on its branch that apply to the merged commit. The latter
 * were made of that commit, or a run of that commit still shows them.
 * Approvals that a reviewer rejects there or in the pull request are left out. So are approvals that the target already
 * had, because what happened to them there is newer.
 * The rows stay locked until the transaction ends. An undo that runs at the same time then finds the carried copies.
 */
export async function findMergedBaselines(
  em: EntityManager,
  projectId: string,
  { from, head, to }: Merge,
): Promise<Baseline[]> {
  const change = {
    ...{ projectId: "b.project_id", route: "b.route", viewport: "b.viewport" },
    scope: "any (array[b.scope, m.scope])",
    ...{ hash: "b.hash", fingerprint: "b.fingerprint" },
  };
  const rows: { id: string }[] = await em.execute(
    `with merged (scope, head, sha) as (values (?::text, ?::text, lower(?::text))), approved as (
       select b.* from merged m join runs.baseline b on b.project_id = ? and b.scope = m.scope
       union
       select b.* from merged m join runs.baseline b on b.project_id = ? and b.scope = m.head and b.sha = m.sha
       union
       select b.* from merged m
       join runs.run r on r.project_id = ? and r.scope = m.head and lower(r.scm ->> 'sha') = m.sha
       join runs.screenshot s on s.run_id = r.id and (s.status = 'unchanged' or s.review = 'approved')
       join runs.baseline b on b.project_id = r.project_id and b.scope = r.scope
         and b.route = s.route and b.viewport = s.viewport
         and (b.hash is not distinct from s.hash or s.status = 'unchanged' and b.hash = s.baseline_hash)
     ), latest as (
       select distinct on (route, viewport) * from approved order by route, viewport, seq desc
     )
     select b.id from latest b, merged m where not ${isRejected(change)} and not exists (
       select from runs.baseline held where held.scope = ? and held.screenshot_id = b.screenshot_id)`,
    [from, head?.scope ?? null, head?.sha ?? null, projectId, projectId, projectId, to],
  );
  return em.find(
    BaselineEntity,
    { id: { $in: rows.map(row => row.id) } },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: "asc" } },
  );
}

/** A captured screenshot, as the key to approvals of the same pixels. */
export interface CapturedPixels {
  screenshotId: string;
  projectId: string;
  scope: string;
  route: string;
  viewport: number;
  hash: string;
}

/**
 * Finds approvals of exactly these pixels in the run's own scope, by screenshot. Leaves out pixels that a reviewer
 * rejects.
 */
export async function findApprovalsOfPixels(
  em: EntityManager,
  captured: CapturedPixels[],
): Promise<Map<string, Baseline>> {
  if (captured.length === 0) return new Map();
  const change = {
    ...{ projectId: 'v."projectId"', scope: "v.scope", route: "v.route", viewport: "v.viewport" },
    ...{ hash: "v.hash", fingerprint: "b.fingerprint" },
  };
  const rows: { screenshotId: string; id: string }[] = await em.execute(
    `select distinct on (v."screenshotId") v."screenshotId", b.id
     from jsonb_to_recordset(?::jsonb) as v (
       "screenshotId" text, "projectId" text, scope text, route text, viewport int, hash text)
     join runs.baseline b on b.project_id = v."projectId" and b.scope = v.scope
       and b.route = v.route and b.viewport = v.viewport and b.hash = v.hash
     where not ${isRejected(change)}
     order by v."screenshotId", b.seq desc`,
    [JSON.stringify(captured)],
  );
  const baselines = await em.find(BaselineEntity, { id: { $in: rows.map(row => row.id) } });
  const byId = new Map(baselines.map(baseline => [baseline.id, baseline]));
  return new Map(
    rows.flatMap(row => {
      const baseline = byId.get(row.id);
      return baseline ? [[row.screenshotId, baseline] as const] : [];
    }),
  );
}

/**
 * Adds approvals of one scope, and deletes earlier approvals of the same screenshots in it. A repeated approval is the
 * latest again. Copies that a merge carried to the default branch stay.
 */
export async function insertBaselines(em: EntityManager, baselines: Baseline[]): Promise<void> {
  const [first] = baselines;
  if (!first) return;
  const screenshotId = { $in: baselines.map(baseline => baseline.screenshotId) };
  await em.nativeDelete(BaselineEntity, { screenshotId, scope: first.scope });
  await em.insertMany(BaselineEntity, baselines);
}

/** Adds approvals, and keeps those that the same screenshots have in other scopes. */
export async function addBaselines(em: EntityManager, baselines: Baseline[]): Promise<void> {
  if (baselines.length > 0) await em.insertMany(BaselineEntity, baselines);
}

/** Returns the team's project with this name, locked against other changes of its approvals. Null if there is none. */
export function lockProject(em: EntityManager, teamId: string, name: string): Promise<Project | null> {
  return em.findOne(ProjectEntity, { teamId, name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Deletes the approvals of these screenshots, including copies that a merge carried elsewhere. */
export function deleteBaselines(em: EntityManager, screenshotIds: string[]): Promise<void> {
  return deleteLocked(em, { screenshotId: { $in: screenshotIds } });
}

/** Deletes the approvals that were carried from these screenshots to others. */
export function deleteCarriedBaselines(em: EntityManager, screenshotIds: string[]): Promise<void> {
  return deleteLocked(em, { originScreenshotId: { $in: screenshotIds } });
}

async function deleteLocked(em: EntityManager, where: FilterQuery<Baseline>): Promise<void> {
  // A transaction that carries approvals locks them. Only a statement that starts after it ends sees the copies.
  await em.find(BaselineEntity, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: "asc" },
    disableIdentityMap: true,
  });
  await em.nativeDelete(BaselineEntity, where);
}

/** The commit where a branch was forked, and the commits that the base branch has gained since. Null if unknown. */
export interface LeftAt {
  sha: string;
  missing: string[] | null;
}

/**
 * Finds a branch's baselines as of an earlier commit, one per route and viewport.
 * If the commits since then are known, these are the latest approvals of all other commits. Approvals without a commit
 * count if they precede every approval of the newer commits.
 * If they are unknown, these are the latest approvals up to the last one of that commit.
 * @returns null if the approvals of that time can't be told from later ones
 */
export async function findBaselinesAt(
  em: EntityManager,
  projectId: string,
  scope: string,
  { sha, missing }: LeftAt,
): Promise<Baseline[] | null> {
  const cut = await findCut(em, projectId, scope, { sha, missing });
  if (missing === null && cut === null) return null;
  const rows: { id: string }[] = await em.execute(
    `with missing as materialized (select jsonb_array_elements_text(?::jsonb) as sha)
     select distinct on (route, viewport) id from runs.baseline
     where project_id = ? and scope = ?
       and case when sha is null or ? then seq <= coalesce(?::bigint, seq)
         else sha not in (select sha from missing) end
     order by route, viewport, seq desc`,
    [JSON.stringify(missing ?? []), projectId, scope, missing === null, cut],
  );
  return em.find(BaselineEntity, { id: { $in: rows.map(row => row.id) } });
}

/** Returns the position of the last approval that still counts, in order of approval. */
async function findCut(
  em: EntityManager,
  projectId: string,
  scope: string,
  { sha, missing }: LeftAt,
): Promise<string | null> {
  const rows: { cut: string | null }[] = await em.execute(
    `select ${missing === null ? "max(seq)" : "min(seq) - 1"} as cut from runs.baseline
     where project_id = ? and scope = ? and sha in (select jsonb_array_elements_text(?::jsonb))`,
    [projectId, scope, JSON.stringify(missing ?? [sha])],
  );
  return rows[0]?.cut ?? null;
}
