import type { DeliveryAnswer } from "../../shared/contracts/delivery.ts";
import { notTriggered } from "./answer.ts";
import { refusePreview } from "./preview-url.ts";
import { findOpenPull, putPull } from "./pull.store.ts";
import type { PullHead } from "./repository-host.ts";
import { repositoryOf, type ScmNode } from "./scm-node.ts";
import { type Commit, rememberPreview, startCheck } from "./start-check.ts";

/**
 * A provider told where a commit can be seen: that is remembered, and the run of an open pull request at this commit
 * started. Where its event has not come in, the code host is asked: it may come later, or not at all.
 * @throws HostError
 */
export async function previewSeen(node: ScmNode, commit: Commit, url: string): Promise<DeliveryAnswer> {
  if (refusePreview(url, commit.page, node.policy) !== null)
    return { status: 400, body: { triggered: false, error: "Preview URL not allowed" } };
  await rememberPreview(node, commit, url);
  const pull = (await findOpenPull(node.em(), commit.repoId, commit.sha)) ?? (await askForPull(node, commit));
  if (!pull) return notTriggered("No open pull request is at this commit; its preview URL is remembered");
  return startCheck(node, commit, pull, { previewUrl: url, fromTemplate: false });
}

/** @throws HostError */
async function askForPull(node: ScmNode, commit: Commit): Promise<Omit<PullHead, "sha"> | null> {
  const repository = await repositoryOf(node, commit);
  const [found] = await repository.pullsAt(commit.sha);
  if (!found) return null;
  await putPull(node.em(), commit, found, true);
  const { sha: _sha, updatedAt: _updatedAt, ...pull } = found;
  return pull;
}
