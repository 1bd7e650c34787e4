import type { EntityManager } from "../../mixins/database.ts";
import { newId } from "../../shared/ids.ts";
import { addBaselines, findLatestBaselines, lockProject } from "./baseline.store.ts";
import { type Project, ProjectEntity } from "./project.entity.ts";
import { branchScope, placeOf } from "./scope.ts";

/**
 * Has a project follow the default branch of its repository, as somebody who knows says it. What holds on the one until
 * now holds on the new one from then on, where that has nothing of its own: a branch that was renamed looks the same.
 */
export async function followDefaultBranch(
  em: EntityManager,
  project: Project,
  branch: string | undefined,
): Promise<Project> {
  if (branch === undefined || branch === project.defaultBranch) return project;
  return em.transactional(async tx => {
    const locked = await lockProject(tx, project.teamId, project.name);
    if (!locked || locked.defaultBranch === branch) return locked ?? project;
    const [from, to] = [branchScope(locked.defaultBranch), branchScope(branch)];
    const latest = await findLatestBaselines(tx, project.id, [from, to]);
    const there = new Set(latest.filter(({ scope }) => scope === to).map(placeOf));
    const moved = latest.filter(
      each => each.scope === from && each.hash !== null && !there.has(placeOf(each)),
    );
    await addBaselines(
      tx,
      moved.map(each => ({ ...each, id: newId("base"), scope: to })),
    );
    await tx.nativeUpdate(ProjectEntity, { id: project.id }, { defaultBranch: branch });
    return { ...project, defaultBranch: branch };
  });
}
