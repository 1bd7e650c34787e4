import { broadcast } from "../../../shared/contracts/bus.ts";
import { deleteTeamArchives } from "../archives/archive.store.ts";
import { deletePairs } from "../comparisons/pair.store.ts";
import { deleteLooks } from "../looks/look.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { deleteTeamTransfers } from "../transfers/transfer.store.ts";
import {
  cancelTeam,
  deleteOldRuns,
  deleteProjectBaselines,
  deleteProjectSettings,
  deleteProjects,
  deleteTeamBaselines,
  findProjectsUnder,
} from "./retention.store.ts";

const RUN_BATCH_SIZE = 10;
const BASELINE_BATCH_SIZE = 1_000;
const PAIR_BATCH_SIZE = 1_000;

/**
 * Deletes all data of a deleted team: cancels its runs, then deletes them with their screenshots, its baselines, its
 * comparisons, its secrets, its configurations, its archives, its exports, and its projects. A repeated call continues.
 */
export async function deleteTeamData(
  context: Pick<RunsContext, "em" | "bus" | "ended"> & { queue: Pick<RunsContext["queue"], "drop"> },
  teamId: string,
): Promise<void> {
  for (const id of await cancelTeam(context.em(), teamId)) {
    context.queue.drop(id);
    await broadcast(context.bus, "run.canceled", { runId: id });
  }
  for (let more = true; more; ) {
    const ids = await deleteOldRuns(context.em(), teamId, 0, RUN_BATCH_SIZE);
    for (const id of ids) context.ended.delete(id);
    more = ids.length > 0;
  }
  while ((await deleteTeamBaselines(context.em(), teamId, BASELINE_BATCH_SIZE)) > 0);
  void context.queue.drop(teamId);
  while ((await deletePairs(context.em(), teamId, PAIR_BATCH_SIZE, 0)) > 0);
  await deleteTeamTransfers(context.em(), teamId);
  await deleteProjectSettings(context.em(), teamId);
  await deleteTeamArchives(context.em(), teamId);
  await deleteProjects(context.em(), teamId);
}

/**
 * Deletes the baselines and looks of a deleted monitor. Retention would keep them for long, or forever.
 * @param first the project of its first URL. Those of later URLs are named after it
 */
export async function deleteBaselines(context: RunsContext, teamId: string, first: string): Promise<void> {
  for (const project of await findProjectsUnder(context.em(), teamId, first)) {
    while ((await deleteProjectBaselines(context.em(), teamId, project, BASELINE_BATCH_SIZE)) > 0);
    await deleteLooks(context.em(), teamId, project);
  }
}
