import { findMerged, markCarried } from "./pull.store.ts";
import type { ScmNode } from "./scm-node.ts";

const AT_ONCE = 20;

/** Has what was approved on merged pull requests hold where they were merged to. Done twice it changes nothing more. */
export async function carryMerged(node: ScmNode): Promise<void> {
  for (const { repoId, number, owner, repo, into } of await findMerged(node.em(), AT_ONCE)) {
    await node.cloud.carryApprovals(`${owner}/${repo}`, number, into);
    await markCarried(node.em(), repoId, number);
  }
}
