import type { Actions } from "../../../shared/contracts/actions.ts";
import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertBaselineEvent } from "../events/run-events.ts";
import { retryOnDeadlock } from "../reviews/review-transaction.ts";
import type { RunsContext } from "../runs-context.ts";
import { followDefaultBranch, noteDefaultBranch } from "../submission/follow-default-branch.ts";
import {
  addBaselines,
  findMergedBaselines,
  findProjectsOfBuilds,
  findProjectsOfRuns,
  lockProject,
} from "./approval.store.ts";
import { findLatestBaselines } from "./baseline.store.ts";
import { branchScope, prScope } from "./scope.rule.ts";

type Carry = Actions["runs.carryApprovals"]["params"];

/**
 * Carries the approvals of a merged pull request to its target branch, for every kind of merge: those of the project,
 * of the projects whose runs checked it, and of their named builds.
 * Approvals on the pull request's branch are carried too, from runs without a pull request, if the merged commit looks
 * like them. A repeated call changes nothing. Pages with the same pixels on the target branch are skipped.
 */
export async function carryApprovals(
  context: RunsContext,
  caller: Caller,
  { project, ...merge }: Carry,
): Promise<{ carried: number }> {
  const { teamId, merged } = merge;
  const checked = await findProjectsOfRuns(context.em(), teamId, merged.runIds);
  const names = new Set([project, ...checked.map(projectOfBuildBase)]);
  let carried = 0;
  for (const name of await findProjectsOfBuilds(context.em(), teamId, [...names]))
    carried += await carryInProject(context, caller, { project: name, ...merge });
  return { carried };
}

/** @returns the number of carried approvals */
async function carryInProject(
  context: RunsContext,
  caller: Caller,
  { teamId, project: name, merged: { pr, sha, branch }, into }: Carry,
): Promise<number> {
  const done = await retryOnDeadlock(context, async tx => {
    const project = await lockProject(tx, teamId, name);
    if (!project) return null;
    const followed = await followDefaultBranch(tx, project, into.defaultBranch);
    const to = branchScope(into.branch);
    const approved = await findMergedBaselines(tx, project.id, {
      from: prScope(pr),
      head: branch === null ? null : branchScope(branch),
      ...{ sha, to },
    });
    const latest = await findLatestBaselines(tx, project.id, [to]);
    const existing = new Map(latest.map(each => [keyOf(each), each]));
    const carried = approved.filter(each => {
      const before = existing.get(keyOf(each));
      // The target branch never had the page, so its removal doesn't need to be carried.
      return before ? before.hash !== each.hash : each.hash !== null;
    });
    await addBaselines(
      tx,
      carried.map(each => ({ ...each, id: newId("base"), scope: to, sha: into.sha })),
    );
    const change = { teamId, project: name, scope: to, cause: "carried", runId: null } as const;
    await insertBaselineEvent(tx, { ...change, pages: carried });
    return { followed, carried: carried.length };
  });
  if (!done) return 0;
  publishSoon(context);
  await noteDefaultBranch(context, caller, done.followed);
  return done.carried;
}
