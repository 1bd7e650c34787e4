import { findCheckingRuns } from "../checks/check.store.ts";
import { findConnection } from "../connections/connection.store.ts";
import { isConnection } from "../connections/connection-id.ts";
import type { ScmContext } from "../scm-context.ts";
import { findMerged, type MergedPull, markCarried, markNotCarried } from "./pull.store.ts";

const REPOSITORY_BATCH_SIZE = 20;

/**
 * Carries the approvals of merged pull requests to their target branches. Takes one per repository, in the order of
 * their merges, so that repositories do not delay each other. Repeating it changes nothing.
 * @throws the first error, after all others were carried
 */
export async function carryMerged(context: ScmContext): Promise<void> {
  const merged = await findMerged(context.em(), REPOSITORY_BATCH_SIZE);
  const done = await Promise.allSettled(
    merged.map(pull =>
      carry(context, pull).catch(async error => {
        await markNotCarried(context.em(), pull.repoId, pull.number);
        throw error;
      }),
    ),
  );
  for (const each of done) if (each.status === "rejected") throw each.reason;
}

async function carry(
  context: ScmContext,
  { repoId, number, owner, repo, sha, head, into }: MergedPull,
): Promise<void> {
  const { em } = context;
  const runs = new Map(
    (await findCheckingRuns(em(), { repoId, number })).map(({ teamId, runIds }) => [teamId, runIds]),
  );
  const merged = { pr: number, sha, branch: head.fromFork ? null : head.branch };
  const carryIn = (teamId: string | null, project: string) =>
    context.cloudOf(teamId).carryApprovals(project, { ...merged, runIds: runs.get(teamId) ?? [] }, into);
  if (isConnection(repoId)) {
    const connection = await findConnection(em(), repoId);
    if (connection) await carryIn(connection.teamId, connection.project);
  }
  // The app's team may have approvals without a check.
  else for (const teamId of new Set([null, ...runs.keys()])) await carryIn(teamId, `${owner}/${repo}`);
  await markCarried(em(), repoId, number);
}
