import { deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import { isSameAddress } from "../../../shared/same-address.rule.ts";
import type { PlatformContext } from "../platform-context.ts";
import { findTeams, forgetTeam } from "./team.store.ts";

/** Deletes the ids and keys of those teams that no longer exist. Any number of nodes can run it at once. */
export async function forgetTeamsIfGone(
  { em, bus, settings: { apiUrl }, baseUrl }: Pick<PlatformContext, "em" | "bus" | "settings" | "baseUrl">,
  teams: string[],
  signal?: AbortSignal,
): Promise<void> {
  // The teams of another Cloud API are unknown here.
  if (apiUrl === null || !isSameAddress(apiUrl, baseUrl)) return;
  await deleteGoneTeams(bus, teams, teamId => forgetTeam(em(), teamId), signal);
}

/** Deletes the ids and keys of deleted teams whose event got lost. */
export async function forgetAllGone(
  context: Pick<PlatformContext, "em" | "bus" | "settings" | "baseUrl">,
  signal?: AbortSignal,
): Promise<void> {
  await forgetTeamsIfGone(context, await findTeams(context.em()), signal);
}
