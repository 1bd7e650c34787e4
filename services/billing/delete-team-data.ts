import { deleteAllGoneTeams, deleteGoneTeams, type TeamPage } from "../../shared/delete-gone-teams.ts";
import type { BillingContext } from "./billing-context.ts";
import { markGone } from "./payments/account.store.ts";
import { deleteTeamData, findTeams } from "./usage/usage.store.ts";

/** Deletes the data of deleted teams whose event got lost. Any number of nodes can run it at once. */
export async function deleteAllGone(context: BillingContext, signal?: AbortSignal): Promise<void> {
  const data = {
    findTeams: (page: TeamPage) => findTeams(context.em(), page),
    deleteTeam: (teamId: string) => deleteTeam(context, teamId),
  };
  await deleteAllGoneTeams(context.bus, data, signal);
}

/**
 * Deletes the data of those teams that no longer exist. Their subscriptions are canceled later, by the reconciliation.
 */
export async function deleteTeamsIfGone(context: BillingContext, teams: string[]): Promise<void> {
  await deleteGoneTeams(context.bus, teams, teamId => deleteTeam(context, teamId));
}

async function deleteTeam({ em }: Pick<BillingContext, "em">, teamId: string): Promise<void> {
  await markGone(em(), teamId);
  await deleteTeamData(em(), teamId);
}
