import { broadcast } from "../../../shared/contracts/bus.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { noteActivity } from "../note-activity.ts";
import { getRun, runOf } from "../queries/read-runs.ts";
import { nextLinkGeneration } from "../run.store.ts";
import type { RunsNode } from "../runs-context.ts";

/**
 * Revokes every link of a run: that of its report, and those of its images. The answer has new ones.
 * @throws ServiceError not_found
 */
export async function revokeLinks(node: RunsNode, caller: Caller, id: string): Promise<RunView> {
  await runOf(node, caller, id);
  await nextLinkGeneration(node.em(), id);
  node.ended.forget(id);
  await broadcast(node.bus, "access.changed", { ids: [id] });
  await noteActivity(node, caller, "run.links_revoked", id);
  return getRun(node, caller, id);
}
