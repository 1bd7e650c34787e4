import type { Actions } from "../../shared/contracts/actions.ts";
import type { Caller } from "../../shared/contracts/caller.ts";
import { newId } from "../../shared/ids.ts";
import { addBaselines, findLatestBaselines, lockProject } from "./baseline.store.ts";
import { followDefaultBranch, noteFollowed } from "./default-branch.ts";
import type { RunsNode } from "./runs-node.ts";
import { branchScope, placeOf } from "./scope.ts";

/**
 * Has what was approved on a pull request hold on the branch that it was merged into, however it was. Done again it
 * changes nothing, nor where that branch has the same pixels already.
 */
export async function carryApprovals(
  node: RunsNode,
  caller: Caller,
  { teamId, project: name, pr, into }: Actions["runs.carryApprovals"]["params"],
): Promise<{ carried: number }> {
  const done = await node.em().transactional(async tx => {
    const project = await lockProject(tx, teamId, name);
    if (!project) return null;
    const followed = await followDefaultBranch(tx, project, into.defaultBranch);
    const [from, to] = [`pr:${pr}`, branchScope(into.branch)];
    const latest = await findLatestBaselines(tx, project.id, [from, to]);
    const there = new Map(latest.filter(({ scope }) => scope === to).map(each => [placeOf(each), each]));
    const carried = latest.filter(each => {
      const before = there.get(placeOf(each));
      // A page that was never there need not be removed.
      return each.scope === from && (before ? before.hash !== each.hash : each.hash !== null);
    });
    await addBaselines(
      tx,
      carried.map(each => ({ ...each, id: newId("base"), scope: to, sha: into.sha })),
    );
    return { followed, carried: carried.length };
  });
  if (!done) return { carried: 0 };
  await noteFollowed(node, caller, done.followed);
  return { carried: done.carried };
}
