import * as lease from "../../../mixins/database/lease-task.ts";
import type { EntityManager } from "../../../mixins/database.ts";
import { isSamePage } from "../page-columns.ts";
import { CANCELED } from "../run.store.ts";

/** Finds every team that has or had runs, secrets or configurations. */
export async function findTeams(em: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select team_id as id from runs.project union select team_id from runs.secret
     union select team_id from runs.configuration
     union select team_id from runs.transfer
     union select team_id from runs.project_archive order by id`,
  );
  return rows.map(row => row.id);
}

/** SQL of the days for which runs of a project `p` are kept: at most the plan's, its only parameter. */
const KEPT_DAYS = `least(?::int, coalesce(p.retention_days, (select base.retention_days from runs.project base
  where base.team_id = p.team_id and base.name = regexp_replace(p.name, '#[^#]*$', ''))))`;

/**
 * Deletes a team's runs that ended so many days ago, or fewer if the project says so, and trials after one day, with their screenshots, oldest first.
 * @returns their ids
 */
export async function deleteOldRuns(
  em: EntityManager,
  teamId: string,
  days: number,
  limit: number,
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `delete from runs.run where id in (
       select r.id from runs.run r left join runs.project p on p.id = r.project_id
       where r.team_id = ? and (r.completed_at < now() - make_interval(days => ${KEPT_DAYS})
         or r.kind = 'trial' and r.completed_at < now() - interval '1 day')
       order by r.completed_at limit ?)
     returning id`,
    [teamId, days, limit],
  );
  return rows.map(row => row.id);
}

/**
 * Days for which the history of branches is kept: a pull request may be that old and needs the state at its merge base.
 * It is the longest retention of all plans.
 */
const BRANCH_HISTORY_DAYS = 90;

/**
 * Deletes a team's approvals that are so many days old, or fewer if the project says so, and permanently superseded.
 * The superseding approval can't be undone once its run is deleted. On branches, approvals stay for some months. The
 * latest approval of a scope and page always stays. The approval that a restored one replaced stays as if
 * the restored one was approved at that time.
 * @returns the number of deleted approvals
 */
export async function deleteSuperseded(
  em: EntityManager,
  teamId: string,
  days: number,
  limit: number,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.baseline where id in (
       select b.id from runs.baseline b join runs.project p on p.id = b.project_id
       where p.team_id = ? and b.approved_at < now() - make_interval(days => ${KEPT_DAYS})
         and exists (
           select from runs.baseline later
           where later.project_id = b.project_id and later.scope = b.scope and ${isSamePage("later", "b")}
             and later.seq > b.seq
             and (b.scope not like 'branch:%'
               or coalesce(later.restored_at, later.recorded_at) < now() - make_interval(days => ?))
             and (later.restored_at is null or later.restored_at < now() - make_interval(days => ${KEPT_DAYS}))
             and not exists (select from runs.run r where r.id = later.run_id))
       limit ?)
     returning id`,
    [teamId, days, BRANCH_HISTORY_DAYS, days, limit],
  );
  return rows.length;
}

/** Cancels all unfinished runs of a team. @returns their ids */
export async function cancelTeam(em: EntityManager, teamId: string): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `update runs.run set ${CANCELED} where team_id = ? and completed_at is null returning id`,
    [teamId],
  );
  return rows.map(row => row.id);
}

/** Deletes baselines of a team, including current ones. @returns the number of deleted baselines */
export async function deleteTeamBaselines(em: EntityManager, teamId: string, limit: number): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.baseline where id in (
       select b.id from runs.baseline b join runs.project p on p.id = b.project_id
       where p.team_id = ? order by b.id limit ?)
     returning id`,
    [teamId, limit],
  );
  return rows.length;
}

/** Returns a project and those whose names continue its name after a slash. */
export async function findProjectsUnder(em: EntityManager, teamId: string, name: string): Promise<string[]> {
  const rows: { name: string }[] = await em.execute(
    "select name from runs.project where team_id = ? and (name = ? or starts_with(name, ?))",
    [teamId, name, `${name}/`],
  );
  return rows.map(row => row.name);
}

/** Deletes baselines of one project, including current ones. @returns the number of deleted baselines */
export async function deleteProjectBaselines(
  em: EntityManager,
  teamId: string,
  project: string,
  limit: number,
): Promise<number> {
  const rows: object[] = await em.execute(
    `delete from runs.baseline where id in (
       select b.id from runs.baseline b join runs.project p on p.id = b.project_id
       where p.team_id = ? and p.name = ? order by b.id limit ?)
     returning id`,
    [teamId, project, limit],
  );
  return rows.length;
}

/** Deletes the secrets, configurations, reviewer rules and kept bodies of all projects of a team. */
export async function deleteProjectSettings(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from runs.configuration where team_id = ?", [teamId]);
  await em.execute("delete from runs.secret where team_id = ?", [teamId]);
  await em.execute("delete from runs.kept_body where team_id = ?", [teamId]);
  await em.execute("delete from runs.reviewer_rules where team_id = ?", [teamId]);
}

/** Deletes a team's projects. Their runs and baselines must be deleted already. */
export async function deleteProjects(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from runs.project where team_id = ?", [teamId]);
}

/** SQL that tells whether the image of a capsule is still needed. */
const IS_EXPLAINED = `
  exists (select from runs.screenshot s join runs.run r on r.id = s.run_id
    where r.project_id = c.project_id and s.hash = c.image_hash)
  or exists (select from runs.screenshot s join runs.run r on r.id = s.run_id
    where r.project_id = c.project_id and s.baseline_hash = c.image_hash)
  or exists (select from runs.look l where l.project_id = c.project_id and l.hash = c.image_hash)
  or exists (select from runs.baseline b where b.project_id = c.project_id and b.hash = c.image_hash)`;

/** Finds the images that no row refers to. A capsule and its bodies are needed as long as the image that it explains. */
export async function findUnreferenced(em: EntityManager, hashes: string[]): Promise<Set<string>> {
  const rows: { hash: string }[] = await em.execute(
    `select v.hash from jsonb_array_elements_text(?::jsonb) as v (hash)
     where not exists (select from runs.screenshot s where s.hash = v.hash)
       and not exists (select from runs.screenshot s where s.baseline_hash = v.hash)
       and not exists (select from runs.screenshot s where s.mask_hash = v.hash)
       and not exists (select from runs.screenshot s where s.failure_hash = v.hash)
       and not exists (select from runs.baseline b where b.hash = v.hash)
       and not exists (select from runs.uploaded_image u where u.image_hash = v.hash)
       and not exists (select from runs.look l where l.hash = v.hash)
       and not exists (select from runs.pair p where p.mask_hash = v.hash)
       and not exists (select from runs.transfer_file f where f.hash = v.hash)
       and not exists (select from runs.capsule c where c.capsule_hash = v.hash and (${IS_EXPLAINED}))
       and not exists (
         select from runs.capsule_body o join runs.kept_body k on k.body_hash = o.body_hash
         join runs.capsule c on c.capsule_hash = o.capsule_hash
         where o.body_hash = v.hash and (${IS_EXPLAINED}))`,
    [JSON.stringify(hashes)],
  );
  return new Set(rows.map(row => row.hash));
}

/** Leases a task that one node does at a time, at most once per interval. @returns whether this node does it now */
export function leaseTask(em: EntityManager, name: string, intervalMs: number): Promise<boolean> {
  return lease.leaseTask(em, { table: "runs.periodic_task", name, intervalMs });
}

/** Renews the lease of a running task, so that no other node starts it. */
export async function renewTaskLease(em: EntityManager, name: string): Promise<void> {
  await em.execute("update runs.periodic_task set done_at = now() where name = ?", [name]);
}
