import { type FilterQuery, LockMode } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import { type Project, ProjectEntity } from "../project.entity.ts";
import { isRejected } from "../reviews/review.store.ts";
import { type Baseline, BaselineEntity } from "./baseline.entity.ts";

/** The latest approvals of a project in these scopes: one for each scope, route and viewport. */
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

/** What a merge carries from where to where. */
export interface Merge {
  /** The pull request's scope. */
  from: string;
  /** Its branch, with the commit that was merged; null where that is not to be looked at. */
  head: { scope: string; sha: string } | null;
  to: string;
}

/**
 * The approvals that a merge is to carry, the latest of each page: those of the pull request, and those of its branch
 * that were made of the merged commit, or that a run of this commit still shows. None that somebody rejects, there or
 * in the pull request, and none that the target had already: what has become of it there since is newer. Held until
 * the transaction ends: who takes one back meanwhile finds what it was carried to.
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

/** A screenshot as it was captured, to look for an approval of the same pixels. */
export interface CapturedPixels {
  screenshotId: string;
  projectId: string;
  scope: string;
  route: string;
  viewport: number;
  hash: string;
}

/** Approvals of the very same pixels in the run's own scope, by screenshot; none where somebody rejects them. */
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
 * Adds approvals of one scope. Those that the same screenshots had there before give way, so that an approval made again
 * is the latest; what a merge carried to the default branch stays.
 */
export async function insertBaselines(em: EntityManager, baselines: Baseline[]): Promise<void> {
  const [first] = baselines;
  if (!first) return;
  const screenshotId = { $in: baselines.map(baseline => baseline.screenshotId) };
  await em.nativeDelete(BaselineEntity, { screenshotId, scope: first.scope });
  await em.insertMany(BaselineEntity, baselines);
}

/** Adds approvals beside those that the same screenshots have in other scopes. */
export async function addBaselines(em: EntityManager, baselines: Baseline[]): Promise<void> {
  if (baselines.length > 0) await em.insertMany(BaselineEntity, baselines);
}

/** The team's project of this name, once nobody else changes what is approved in it like this. Null for none. */
export function lockProject(em: EntityManager, teamId: string, name: string): Promise<Project | null> {
  return em.findOne(ProjectEntity, { teamId, name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Takes back the approvals of these screenshots, wherever a merge has carried them to. */
export function deleteBaselines(em: EntityManager, screenshotIds: string[]): Promise<void> {
  return deleteLocked(em, { screenshotId: { $in: screenshotIds } });
}

/** Takes back the approvals that were carried from these screenshots to others. */
export function deleteCarriedBaselines(em: EntityManager, screenshotIds: string[]): Promise<void> {
  return deleteLocked(em, { originScreenshotId: { $in: screenshotIds } });
}

async function deleteLocked(em: EntityManager, where: FilterQuery<Baseline>): Promise<void> {
  // What carries them at this moment holds them. Only a statement that begins after that finds what it made of them.
  await em.find(BaselineEntity, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: "asc" },
    disableIdentityMap: true,
  });
  await em.nativeDelete(BaselineEntity, where);
}

/** Where a branch was left: that commit, and every commit of the branch since, where somebody counted them. */
export interface LeftAt {
  sha: string;
  missing: string[] | null;
}

/**
 * A branch's baselines as they stood at a commit of its past, one for each route and viewport. With the commits since
 * then, it is the latest approval of all others; what was approved of no known commit counts if it was before anything
 * was of those. Without them, it is the latest approval until the last that is of that very commit.
 * @returns null where nothing tells what was approved then from what was approved later
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

/** The last approval that was before, by the order of approval. */
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
