import { broadcast } from "../../../shared/contracts/bus.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { noteActivity } from "../note-activity.ts";
import { getRun, runOf } from "../queries/read-runs.ts";
import type { RunsContext } from "../runs-context.ts";
import { incrementLinkGeneration } from "./link.store.ts";

/**
 * Revokes every link of a run: its report's and its images'. Returns the run with new links.
 * @throws ServiceError not_found
 */
export async function revokeLinks(context: RunsContext, caller: Caller, id: string): Promise<RunView> {
  await runOf(context, caller, id);
  await incrementLinkGeneration(context.em(), id);
  context.ended.delete(id);
  await broadcast(context.bus, "access.changed", { ids: [id] });
  await noteActivity(context, caller, "run.links_revoked", id);
  return getRun(context, caller, id);
}
