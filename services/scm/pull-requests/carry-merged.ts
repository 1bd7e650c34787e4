import { findCheckingTeams } from "../checks/check.store.ts";
import type { ScmContext } from "../scm-context.ts";
import { findMerged, type MergedPull, markCarried } from "./pull.store.ts";

const REPOSITORY_BATCH_SIZE = 20;

/**
 * Carries the approvals of merged pull requests to their target branches. Takes one per repository, in the order of
 * their merges, so that repositories do not delay each other. Repeating it changes nothing.
 * @throws the first error, after all others were carried
 */
export async function carryMerged(context: ScmContext): Promise<void> {
  const merged = await findMerged(context.em(), REPOSITORY_BATCH_SIZE);
  const done = await Promise.allSettled(merged.map(pull => carry(context, pull)));
  for (const each of done) if (each.status === "rejected") throw each.reason;
}

async function carry(
  context: ScmContext,
  { repoId, number, owner, repo, sha, head, into }: MergedPull,
): Promise<void> {
  const merged = { pr: number, head: head.fromFork ? null : { branch: head.branch, sha } };
  for (const teamId of await findCheckingTeams(context.em(), { repoId, number }))
    await context.cloudOf(teamId).carryApprovals(`${owner}/${repo}`, merged, into);
  await markCarried(context.em(), repoId, number);
}
