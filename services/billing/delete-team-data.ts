import { deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import type { BillingContext } from "./billing-context.ts";
import { markGone } from "./payments/account.store.ts";
import { deleteTeamData, findTeams } from "./usage/usage.store.ts";

/** Forgets what teams used that are gone without this service having heard of it. Any number of nodes may do it at once. */
export async function deleteAllGone(context: BillingContext, signal?: AbortSignal): Promise<void> {
  await forgetGone(context, await findTeams(context.em()), signal);
}

/** Forgets what those of these teams used that are gone for good; what they pay for is ended first, while it is settled. */
export async function forgetGone(
  { em, bus }: BillingContext,
  teams: string[],
  signal?: AbortSignal,
): Promise<void> {
  const forget = async (teamId: string) => {
    await markGone(em(), teamId);
    await deleteTeamData(em(), teamId);
  };
  await deleteGoneTeams(bus, teams, forget, signal);
}
