import type { EntityManager } from "../../../mixins/database.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { addBaselines, lockProject } from "../baselines/approval.store.ts";
import { findLatestBaselines } from "../baselines/baseline.store.ts";
import { branchScope } from "../baselines/scope.rule.ts";
import { noteActivity } from "../note-activity.ts";
import { type Project, ProjectEntity } from "../project.entity.ts";
import type { RunsContext } from "../runs-context.ts";

/** A project with its repository's default branch. */
export interface FollowedProject {
  project: Project;
  /** The default branch before, if it changed. */
  previousBranch: string | null;
}

/**
 * Sets a project's default branch to its repository's. The current baselines of the previous branch are copied to pages
 * without one, because a renamed branch looks the same.
 */
export async function followDefaultBranch(
  em: EntityManager,
  project: Project,
  branch: string | undefined,
): Promise<FollowedProject> {
  if (branch === undefined || branch === project.defaultBranch) return { project, previousBranch: null };
  return em.transactional(async tx => {
    const locked = await lockProject(tx, project.teamId, project.name);
    if (!locked || locked.defaultBranch === branch)
      return { project: locked ?? project, previousBranch: null };
    const [from, to] = [branchScope(locked.defaultBranch), branchScope(branch)];
    const latest = await findLatestBaselines(tx, project.id, [from, to]);
    const existing = new Set(latest.filter(({ scope }) => scope === to).map(keyOf));
    const moved = latest.filter(
      each => each.scope === from && each.hash !== null && !existing.has(keyOf(each)),
    );
    await addBaselines(
      tx,
      moved.map(each => ({ ...each, id: newId("base"), scope: to })),
    );
    await tx.nativeUpdate(ProjectEntity, { id: project.id }, { defaultBranch: branch });
    return { project: { ...project, defaultBranch: branch }, previousBranch: locked.defaultBranch };
  });
}

/** Publishes a changed default branch for the team's activity log. */
export async function noteDefaultBranch(
  context: RunsContext,
  caller: Caller,
  { project, previousBranch }: FollowedProject,
): Promise<void> {
  if (previousBranch === null) return;
  const { name, defaultBranch } = project;
  await noteActivity(context, caller, "project.changed", name, { defaultBranch, was: previousBranch });
}
