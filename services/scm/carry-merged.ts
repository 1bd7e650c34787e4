import { findMerged, markCarried, postponeCarry } from "./pull.store.ts";
import type { ScmNode } from "./scm-node.ts";

const AT_ONCE = 20;

/**
 * Has what was approved on merged pull requests hold where they were merged to. Done twice it changes nothing more.
 * @throws what kept one from being carried; it waits behind the others then
 */
export async function carryMerged(node: ScmNode): Promise<void> {
  for (const pull of await findMerged(node.em(), AT_ONCE)) {
    const { repoId, number, owner, repo, into } = pull;
    try {
      await node.cloud.carryApprovals(`${owner}/${repo}`, number, into);
    } catch (error) {
      await postponeCarry(node.em(), pull);
      throw error;
    }
    await markCarried(node.em(), repoId, number);
  }
}
