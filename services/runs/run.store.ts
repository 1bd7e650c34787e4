import { LockMode, raw } from "@mikro-orm/core";
import type { EntityManager } from "../../mixins/database.ts";
import type { RunCause } from "../../shared/contracts/runs/explanation.ts";
import type { Intent } from "../../shared/contracts/runs/intent.ts";
import { NO_TALLY, type Outcome, type RunTally } from "./capture/conclude.rule.ts";
import { type Project, ProjectEntity } from "./project.entity.ts";
import { type Run, RunEntity, type RunWithOptions } from "./run.entity.ts";
import { type Screenshot, ScreenshotEntity } from "./screenshot.entity.ts";

/** The database's time, because the clocks of nodes can differ by more than a run takes. */
const NOW = raw("now()");

/** Returns the team's project with this name. Creates it if it doesn't exist. */
export async function findOrCreateProject(em: EntityManager, project: Project): Promise<Project> {
  await em.upsert(ProjectEntity, project, {
    onConflictFields: ["teamId", "name"],
    onConflictAction: "ignore",
  });
  return em.findOneOrFail(ProjectEntity, { teamId: project.teamId, name: project.name });
}

/**
 * Sets the default branch of a project that has only trials.
 * @returns the project as it is then, also if another run was first
 */
export async function setFirstBranch(em: EntityManager, project: Project, branch: string): Promise<Project> {
  const { id, defaultBranch } = project;
  if (branch === defaultBranch) return project;
  await em.execute(
    `update runs.project p set default_branch = ? where id = ? and default_branch = ?
       and exists (select from runs.run r where r.project_id = p.id and r.kind = 'trial')
       and not exists (select from runs.run r where r.project_id = p.id and r.kind <> 'trial')
       and not exists (select from runs.baseline b where b.project_id = p.id)`,
    [branch, id, defaultBranch],
  );
  return em.findOneOrFail(ProjectEntity, { id }, { refresh: true });
}

/** Returns the team's project with this name. */
export function findProject(em: EntityManager, teamId: string, name: string): Promise<Project | null> {
  return em.findOne(ProjectEntity, { teamId, name });
}

/** Inserts a run with all its screenshots, or nothing. */
export async function insertRun(
  em: EntityManager,
  run: RunWithOptions,
  screenshots: Screenshot[],
): Promise<void> {
  await em.transactional(async tx => {
    await tx.insert(RunEntity, { ...run, createdAt: NOW });
    await tx.insertMany(ScreenshotEntity, screenshots);
  });
}

export function findRun(em: EntityManager, teamId: string, id: string): Promise<Run | null> {
  return em.findOne(RunEntity, { id, teamId });
}

export function findRunOfAnyTeam(em: EntityManager, id: string): Promise<Run | null> {
  return em.findOne(RunEntity, { id });
}

export function findRuns(em: EntityManager, ids: string[]): Promise<Run[]> {
  return em.find(RunEntity, { id: { $in: ids } });
}

/** Finds runs with their options, which can be 1 MiB each. */
export function findRunsWithOptions(em: EntityManager, ids: string[]): Promise<RunWithOptions[]> {
  return em.find(RunEntity, { id: { $in: ids } }, { populate: ["options"] });
}

/** Finds the ids of unfinished runs without pending screenshots. */
export async function findFinishedRuns(em: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select id from runs.run r where completed_at is null
       and not exists (select from runs.build b where b.run_id = r.id and b.finalized_at is null)
       and not exists (select from runs.storybook b where b.run_id = r.id and b.listed_at is null)
       and not exists (select from runs.screenshot s where s.run_id = r.id and s.status = 'pending') order by id`,
  );
  return rows.map(row => row.id);
}

export async function markRendering(em: EntityManager, ids: string[]): Promise<void> {
  await em.nativeUpdate(
    RunEntity,
    { id: { $in: ids }, status: "queued" },
    { status: "rendering", startedAt: NOW },
  );
}

export async function markComparing(em: EntityManager, id: string): Promise<void> {
  await em.nativeUpdate(RunEntity, { id, status: { $in: ["queued", "rendering"] } }, { status: "comparing" });
}

/**
 * Ends a run, once. Returns true to the one caller who ended it.
 * A failed run doesn't answer repeated submissions. The options are deleted, because they are no longer needed and
 * their headers can be secrets.
 */
export async function closeRun(
  em: EntityManager,
  id: string,
  outcome: Outcome,
  tally: RunTally,
  { causes = [], intent = null }: { causes?: RunCause[]; intent?: Intent | null } = {},
): Promise<boolean> {
  const deduplication = outcome.status === "failed" ? { dedupeKey: null } : {};
  const closed = await em.nativeUpdate(
    RunEntity,
    { id, completedAt: null },
    { ...outcome, ...deduplication, tally, causes, ...(intent && { intent }), options: {}, completedAt: NOW },
  );
  return closed === 1;
}

/** SQL that sets the columns of a canceled run. A repeated submission starts another run. */
export const CANCELED = "status = 'canceled', completed_at = now(), options = '{}', dedupe_key = null";

/** Cancels an unfinished run, and keeps its options for a repetition. @returns whether any of it was rendered, to the one caller who canceled it; else null */
export async function cancelRun(em: EntityManager, id: string): Promise<{ rendered: boolean } | null> {
  const rows: { rendered: boolean }[] = await em.execute(
    `with kept as (
       insert into runs.provable_run (run_id, options)
       select id, options from runs.run
       where id = ? and completed_at is null and kind = 'run' and source = 'capture' and tunnel is null
       on conflict do nothing
     )
     update runs.run set ${CANCELED}
     where id = ? and completed_at is null returning started_at is not null as rendered`,
    [id, id],
  );
  return rows[0] ?? null;
}

/** Locks a run, after other reviews of it have ended. Null if there is no such run. */
export function lockRun(em: EntityManager, id: string): Promise<Run | null> {
  return em.findOne(RunEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** SQL of `isMinorChange`, to count thousands of screenshots in the database. */
export const MINOR = "status = 'unchanged' and diff_pixels + faint_pixels > 0";

/** Returns the tallies of these runs by id. Ended runs have a stored tally. */
export async function tallyRuns(em: EntityManager, runs: Run[]): Promise<Map<string, RunTally>> {
  // A tally that an older node stored during an update lacks newer fields.
  const tallies = new Map(runs.map(run => [run.id, { ...NO_TALLY, ...run.tally }]));
  const open = runs.filter(run => run.tally === null).map(run => run.id);
  if (open.length === 0) return tallies;
  const rows: (RunTally & { runId: string })[] = await em.execute(
    `select run_id as "runId",
       count(*) filter (where status <> 'removed')::int as total,
       count(*) filter (where captured_at is not null or status = 'failed')::int as captured,
       count(*) filter (where status not in ('pending', 'removed'))::int as compared,
       count(*) filter (where status = 'pending')::int as pending,
       count(*) filter (where rendering <> baseline_rendering)::int as "otherRendering",
       count(*) filter (where status = 'unchanged')::int as unchanged,
       count(*) filter (where ${MINOR})::int as minor,
       count(*) filter (where status = 'changed')::int as changed,
       count(*) filter (where status = 'new')::int as new,
       count(*) filter (where status = 'removed')::int as removed,
       count(*) filter (where status = 'failed')::int as failed,
       count(*) filter (where status = 'changed' and carried_run_id is not null)::int as carried
     from runs.screenshot where run_id in (?) group by run_id`,
    [open],
  );
  for (const { runId, ...tally } of rows) tallies.set(runId, tally);
  return tallies;
}
