import { deleteAllGoneTeams, deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import { isSameAddress } from "../../../shared/same-address.rule.ts";
import type { PlatformContext } from "../platform-context.ts";
import { findTeams, forgetTeam } from "./team.store.ts";

type Context = Pick<PlatformContext, "em" | "bus" | "settings" | "baseUrl">;

/** Deletes the ids and keys of those teams that no longer exist. Any number of nodes can run it at once. */
export async function forgetTeamsIfGone(context: Context, teams: string[]): Promise<void> {
  if (hasTeamsHere(context))
    await deleteGoneTeams(context.bus, teams, teamId => forgetTeam(context.em(), teamId));
}

/** Deletes the ids and keys of deleted teams whose event got lost. */
export async function forgetAllGone(context: Context, signal?: AbortSignal): Promise<void> {
  if (!hasTeamsHere(context)) return;
  const { em, bus } = context;
  const deleteTeam = (teamId: string) => forgetTeam(em(), teamId);
  await deleteAllGoneTeams(bus, { findTeams: page => findTeams(em(), page), deleteTeam }, signal);
}

/** The teams of another Cloud API are unknown here. */
function hasTeamsHere({ settings: { apiUrl }, baseUrl }: Context): boolean {
  return apiUrl !== null && isSameAddress(apiUrl, baseUrl);
}
