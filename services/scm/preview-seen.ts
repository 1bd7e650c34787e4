import type { DeliveryAnswer } from "../../shared/contracts/delivery.ts";
import { notTriggered } from "./answer.ts";
import { refusePreview } from "./preview-url.ts";
import { putPull } from "./pull.store.ts";
import { repositoryOf, type ScmNode } from "./scm-node.ts";
import { type Commit, rememberPreview, startCheck } from "./start-check.ts";

/**
 * A provider told where a commit can be seen: that is remembered, and the run of an open pull request at this commit
 * started. Which that is, the code host is asked: its event may come later, or not at all.
 * @throws HostError
 */
export async function previewSeen(node: ScmNode, commit: Commit, url: string): Promise<DeliveryAnswer> {
  if (refusePreview(url, commit.page, node.policy) !== null)
    return { status: 400, body: { triggered: false, error: "Preview URL not allowed" } };
  await rememberPreview(node, commit, url);
  const repository = await repositoryOf(node, commit);
  const [pull] = await repository.pullsAt(commit.sha);
  if (!pull) return notTriggered("No open pull request is at this commit; its preview URL is remembered");
  const { sha, ...rest } = pull;
  await putPull(node.em(), { repoId: commit.repoId, number: pull.number, sha });
  return startCheck(node, commit, rest, url);
}
