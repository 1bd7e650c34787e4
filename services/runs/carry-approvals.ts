import type { EntityManager } from "../../mixins/database.ts";
import { newId } from "../../shared/ids.ts";
import { addBaselines, findLatestBaselines, lockProject } from "./baseline.store.ts";
import { branchScope } from "./scope.ts";

/**
 * Has what was approved on a pull request hold on the default branch, once it is merged, however it was. Done again it
 * changes nothing, nor where the default branch has the same pixels already.
 */
export async function carryApprovals(
  em: EntityManager,
  { teamId, project: name, pr }: { teamId: string; project: string; pr: number },
): Promise<{ carried: number }> {
  return em.transactional(async tx => {
    const project = await lockProject(tx, teamId, name);
    if (!project) return { carried: 0 };
    const [from, to] = [`pr:${pr}`, branchScope(project.defaultBranch)];
    const latest = await findLatestBaselines(tx, project.id, [from, to]);
    const there = new Map(latest.filter(({ scope }) => scope === to).map(each => [placeOf(each), each]));
    const carried = latest.filter(each => {
      const before = there.get(placeOf(each));
      // A page that was never there need not be removed.
      return each.scope === from && (before ? before.hash !== each.hash : each.hash !== null);
    });
    await addBaselines(
      tx,
      carried.map(each => ({ ...each, id: newId("base"), scope: to })),
    );
    return { carried: carried.length };
  });
}

function placeOf({ route, viewport }: { route: string; viewport: number }): string {
  return `${viewport} ${route}`;
}
