import { newId } from "../../shared/ids.ts";
import { advanceCheck } from "./advance-check.ts";
import { findCheckOf, insertCheck } from "./check.store.ts";
import { isMissing } from "./host-error.ts";
import { putPull } from "./pull.store.ts";
import type { RepositoryName } from "./repository-access.ts";
import { repositoryOf, type ScmNode } from "./scm-node.ts";

/**
 * Reports a run on its pull request that somebody else submitted, such as the deployment platform's integration: as a
 * check of its own, if the commit has none, the app is installed there and the pull request is at that commit.
 * @throws HostError
 */
export async function adoptRun(node: ScmNode, runId: string): Promise<void> {
  const run = await node.cloud.run(runId);
  const { owner = "", repo = "", sha = "", pr } = run?.scm ?? {};
  if (!run || pr === undefined) return;
  const installationId = await installationOf(node, { owner, repo });
  if (installationId === null) return;
  const repository = await repositoryOf(node, { installationId, owner, repo });
  const { id: repoId } = await repository.read();
  const pull = (await repository.pullsAt(sha.toLowerCase())).find(({ number }) => number === pr);
  if (!pull) return;
  const { sha: at, ...rest } = pull;
  await putPull(node.em(), { repoId, owner, repo }, pull, true);
  const named = {
    id: newId("chr"),
    installationId,
    repoId,
    owner,
    repo,
    sha: at,
    pull: rest,
    previewUrl: run.url,
  };
  if (!(await insertCheck(node.em(), { ...named, runId }))) return;
  const check = await findCheckOf(node.em(), repoId, at);
  if (check) await advanceCheck(node, check);
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
