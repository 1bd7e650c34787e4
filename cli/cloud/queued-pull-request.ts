/** Returns the pull request that a branch of GitHub's merge queue is for. Null for another branch. */
export function queuedOf(branch: string): { pr: number; baseBranch: string } | null {
  const [, baseBranch, pr] = /^gh-readonly-queue\/(.+)\/pr-(\d+)-[0-9a-f]+$/.exec(branch) ?? [];
  return baseBranch === undefined ? null : { pr: Number(pr), baseBranch };
}
