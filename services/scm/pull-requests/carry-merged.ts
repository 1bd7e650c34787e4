import { findCheckingTeams } from "../checks/check.store.ts";
import type { ScmContext } from "../scm-context.ts";
import { findMerged, type MergedPull, markCarried } from "./pull.store.ts";

const REPOSITORIES_AT_ONCE = 20;

/**
 * Has what was approved on merged pull requests hold where they were merged to, one of each repository: those of one go
 * in the order in which they were merged, and none waits for another repository's. Done twice it changes nothing more.
 * @throws what kept one from being carried, once the others are
 */
export async function carryMerged(context: ScmContext): Promise<void> {
  const merged = await findMerged(context.em(), REPOSITORIES_AT_ONCE);
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
