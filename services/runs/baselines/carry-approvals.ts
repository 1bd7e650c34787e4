import type { Actions } from "../../../shared/contracts/actions.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { retryOnDeadlock } from "../reviews/review-transaction.ts";
import type { RunsContext } from "../runs-context.ts";
import { followDefaultBranch, noteDefaultBranch } from "../submission/follow-default-branch.ts";
import { addBaselines, findLatestBaselines, findMergedBaselines, lockProject } from "./baseline.store.ts";
import { branchScope, pageKeyOf, prScope } from "./scope.rule.ts";

/**
 * Has what was approved on a pull request hold on the branch that it was merged into, however it was; also what was
 * approved on its branch, of runs that named no pull request, if the commit that was merged looks like that. Done again
 * it changes nothing, nor where that branch has the same pixels already.
 */
export async function carryApprovals(
  context: RunsContext,
  caller: Caller,
  { teamId, project: name, merged: { pr, head }, into }: Actions["runs.carryApprovals"]["params"],
): Promise<{ carried: number }> {
  const done = await retryOnDeadlock(context, async tx => {
    const project = await lockProject(tx, teamId, name);
    if (!project) return null;
    const followed = await followDefaultBranch(tx, project, into.defaultBranch);
    const to = branchScope(into.branch);
    const approved = await findMergedBaselines(tx, project.id, {
      from: prScope(pr),
      head: head && { scope: branchScope(head.branch), sha: head.sha },
      to,
    });
    const latest = await findLatestBaselines(tx, project.id, [to]);
    const existing = new Map(latest.map(each => [pageKeyOf(each), each]));
    const carried = approved.filter(each => {
      const before = existing.get(pageKeyOf(each));
      // A page that was never there need not be removed.
      return before ? before.hash !== each.hash : each.hash !== null;
    });
    await addBaselines(
      tx,
      carried.map(each => ({ ...each, id: newId("base"), scope: to, sha: into.sha })),
    );
    return { followed, carried: carried.length };
  });
  if (!done) return { carried: 0 };
  await noteDefaultBranch(context, caller, done.followed);
  return { carried: done.carried };
}
