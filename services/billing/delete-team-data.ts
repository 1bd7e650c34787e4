import { forgetGoneTeams } from "../../shared/delete-gone-teams.ts";
import type { BillingNode } from "./billing-context.ts";
import { markGone } from "./payments/account.store.ts";
import { findTeams, forgetTeam } from "./usage/usage.store.ts";

/** Forgets what teams used that are gone without this service having heard of it. Any number of nodes may do it at once. */
export async function forgetAllGone(node: BillingNode, signal?: AbortSignal): Promise<void> {
  await forgetGone(node, await findTeams(node.em()), signal);
}

/** Forgets what those of these teams used that are gone for good; what they pay for is ended first, while it is settled. */
export async function forgetGone(
  { em, bus }: BillingNode,
  teams: string[],
  signal?: AbortSignal,
): Promise<void> {
  const forget = async (teamId: string) => {
    await markGone(em(), teamId);
    await forgetTeam(em(), teamId);
  };
  await forgetGoneTeams(bus, teams, forget, signal);
}
