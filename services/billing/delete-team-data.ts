import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import type { BillingContext } from "./billing-context.ts";
import { markGone } from "./payments/account.store.ts";
import { deleteTeamData, findTeams } from "./usage/usage.store.ts";

/** Deletes the data of deleted teams whose event got lost. Any number of nodes can run it at once. */
export async function deleteAllGone(context: BillingContext, signal?: AbortSignal): Promise<void> {
  await deleteTeamsIfGone(context, await findTeams(context.em()), signal);
}

/**
 * Deletes the data of those teams that no longer exist. Their subscriptions are canceled later, by the reconciliation.
 */
export async function deleteTeamsIfGone(
  { em, bus }: BillingContext,
  teams: string[],
  signal?: AbortSignal,
): Promise<void> {
  const deleteTeam = async (teamId: string) => {
    await markGone(em(), teamId);
    await deleteTeamData(em(), teamId);
  };
  await deleteGoneTeams(bus, teams, deleteTeam, signal);
}
