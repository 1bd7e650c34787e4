import type { RunView } from "../../shared/contracts/http.ts";
import { isMissing } from "./host-error.ts";
import { putPull } from "./pull.store.ts";
import type { RepositoryName } from "./repository-access.ts";
import type { PullHead } from "./repository-host.ts";
import { repositoryOf, type ScmNode } from "./scm-node.ts";
import { beginCheck, type Commit } from "./start-check.ts";

/**
 * Reports a run on its pull request that somebody else submitted, such as the deployment platform's integration: as a
 * check of its own, if the commit has none, the app is installed there and the pull request is at that commit.
 * @throws HostError
 */
export async function adoptRun(node: ScmNode, runId: string): Promise<void> {
  const run = await node.cloud.run(runId);
  if (!run?.scm) return;
  const { owner, repo } = run.scm;
  const installationId = await installationOf(node, { owner, repo });
  if (installationId === null) return;
  const repository = await repositoryOf(node, { installationId, owner, repo });
  const { id: repoId, page } = await repository.read();
  const pulls = await repository.pullsAt(run.scm.sha.toLowerCase());
  const found = pulls.find(({ branch }) => branch === run.branch) ?? pulls[0];
  const pull = run.scm.pr === undefined ? found : pulls.find(({ number }) => number === run.scm?.pr);
  if (!pull) return;
  await putPull(node.em(), { repoId, owner, repo }, pull, true);
  const { sha, ...rest } = pull;
  const by = { previewUrl: run.url, fromTemplate: false, runId };
  await beginCheck(node, { installationId, repoId, owner, repo, page, sha }, rest, by);
}

/** The installation that a repository belongs to; null where the app is not installed. */
async function installationOf({ app }: ScmNode, name: RepositoryName): Promise<string | null> {
  try {
    const { data } = await app.request("GET /repos/{owner}/{repo}/installation", name);
    return String(data.id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** A run of a commit from before its pull request was opened: branches are deployed first. Null for none. */
export async function findEarlierRun(
  node: ScmNode,
  { owner, repo, sha }: Commit,
  { number, branch }: Omit<PullHead, "sha">,
): Promise<RunView | null> {
  const runs = await node.cloud.latestRuns({ project: `${owner}/${repo}`, branch }).catch(error => {
    node.warn(error, "It is not known whether a commit has a run already");
    return [];
  });
  const isOfPull = ({ scm, status }: RunView) =>
    scm?.sha.toLowerCase() === sha && (scm.pr ?? number) === number && status !== "canceled";
  return runs.find(isOfPull) ?? null;
}
