import { type FilterQuery, LockMode } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import { projectOfBuild } from "../../../shared/contracts/builds/builds.ts";
import { isSamePage, pageColumns } from "../page-columns.ts";
import { type Project, ProjectEntity } from "../project.entity.ts";
import { isRejected } from "../reviews/review.store.ts";
import { type Screenshot, ScreenshotEntity } from "../screenshot.entity.ts";
import { type Baseline, BaselineEntity } from "./baseline.entity.ts";

/** The scopes between which a merge carries approvals. */
export interface Merge {
  /** Scope of the pull request. */
  from: string;
  /** Scope of its branch. Null if approvals on the branch aren't carried. */
  head: string | null;
  /** The merged commit. */
  sha: string;
  to: string;
}

/** Whether a screenshot `s` shows the approved pixels, or the removal, of `b`. */
const SHOWS_APPROVED =
  "(b.hash is not distinct from s.hash or s.status = 'unchanged' and b.hash is not distinct from s.baseline_hash)";

/**
 * Finds the approvals that a merge carries: the latest of each page.
 * These are the approvals of the pull request. Of pages that its runs of the merged commit captured, they are only those
 * that the latest capture still shows. Approvals on its branch are carried too if they apply to the merged commit: they
 * were made of that commit, or a run of that commit still shows them.
 * Approvals that a reviewer rejects there or in the pull request are left out. So are approvals that the target already
 * had, because what happened to them there is newer.
 * The rows stay locked until the transaction ends. An undo that runs at the same time then finds the carried copies.
 */
export async function findMergedBaselines(
  em: EntityManager,
  projectId: string,
  { from, head, sha, to }: Merge,
): Promise<Baseline[]> {
  const change = {
    ...{ projectId: "b.project_id", page: "b" },
    scope: "any (array[b.scope, m.scope])",
    ...{ hash: "b.hash", fingerprint: "b.fingerprint" },
  };
  const rows: { id: string }[] = await em.execute(
    `with merged (scope, head, sha) as (values (?::text, ?::text, lower(?::text))), captured as (
       select distinct on (${pageColumns("s")}) ${pageColumns("s")}, s.status, s.hash, s.baseline_hash
       from merged m
       join runs.run r on r.project_id = ? and r.scope = m.scope and lower(r.scm ->> 'sha') = m.sha
         and r.kind = 'run' and r.status = 'completed'
       join runs.screenshot s on s.run_id = r.id and s.status <> 'failed'
       order by ${pageColumns("s")}, r.id desc
     ), approved as (
       select b.* from merged m join runs.baseline b on b.project_id = ? and b.scope = m.scope
       where not exists (select from captured s where ${isSamePage("s", "b")} and not ${SHOWS_APPROVED})
       union
       select b.* from merged m join runs.baseline b on b.project_id = ? and b.scope = m.head and b.sha = m.sha
       union
       select b.* from merged m
       join runs.run r on r.project_id = ? and r.scope = m.head and lower(r.scm ->> 'sha') = m.sha
       join runs.screenshot s on s.run_id = r.id and (s.status = 'unchanged' or s.review = 'approved')
       join runs.baseline b on b.project_id = r.project_id and b.scope = r.scope
         and ${isSamePage("b", "s")} and ${SHOWS_APPROVED}
     ), latest as (
       select distinct on (${pageColumns()}) * from approved order by ${pageColumns()}, seq desc
     )
     select b.id from latest b, merged m where not ${isRejected(change)} and not exists (
       select from runs.baseline held where held.scope = ? and held.screenshot_id = b.screenshot_id)`,
    [from, head, sha, projectId, projectId, projectId, projectId, to],
  );
  return em.find(
    BaselineEntity,
    { id: { $in: rows.map(row => row.id) } },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: "asc" } },
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

/** Returns the names of a team's projects and of the projects of their named builds, those that exist. */
export async function findProjectsOfBuilds(
  em: EntityManager,
  teamId: string,
  names: string[],
): Promise<string[]> {
  const rows: { name: string }[] = await em.execute(
    `select name from runs.project where team_id = ? and exists (
       select from jsonb_to_recordset(?::jsonb) as v (base text, builds text)
       where name = v.base or starts_with(name, v.builds))
     order by name`,
    [teamId, JSON.stringify(names.map(base => ({ base, builds: projectOfBuild(base, "") })))],
  );
  return rows.map(row => row.name);
}

/** Returns the names of the projects of a team's runs. */
export async function findProjectsOfRuns(
  em: EntityManager,
  teamId: string,
  runIds: string[],
): Promise<string[]> {
  const rows: { project: string }[] = await em.execute(
    `select distinct project from runs.run
     where team_id = ? and id in (select jsonb_array_elements_text(?::jsonb))`,
    [teamId, JSON.stringify(runIds)],
  );
  return rows.map(row => row.project);
}

/** Returns the team's project with this name, locked against other changes of its approvals. Null if there is none. */
export function lockProject(em: EntityManager, teamId: string, name: string): Promise<Project | null> {
  return em.findOne(ProjectEntity, { teamId, name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Deletes the approvals of these screenshots, including copies that a merge carried elsewhere. @returns them */
export function deleteBaselines(em: EntityManager, screenshotIds: string[]): Promise<Baseline[]> {
  return deleteLocked(em, { screenshotId: { $in: screenshotIds } });
}

/** Deletes the approvals that were carried from these screenshots to others. @returns them */
export function deleteCarriedBaselines(em: EntityManager, screenshotIds: string[]): Promise<Baseline[]> {
  return deleteLocked(em, { originScreenshotId: { $in: screenshotIds } });
}

async function deleteLocked(em: EntityManager, where: FilterQuery<Baseline>): Promise<Baseline[]> {
  // A transaction that carries approvals locks them. Only a statement that starts after it ends sees the copies.
  const found = await em.find(BaselineEntity, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: "asc" },
    disableIdentityMap: true,
  });
  await em.nativeDelete(BaselineEntity, where);
  return found;
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
