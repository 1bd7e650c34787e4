import { type Bus, call } from "./contracts/bus.ts";

/** Teams in one request to the teams service. */
const TEAM_BATCH_SIZE = 200;

/**
 * Deletes a service's data of those teams that no longer exist, even if the event of their deletion was lost.
 * The teams service decides which teams exist.
 * @param deleteTeam deletes all data of one team
 * @returns the deleted teams
 */
export async function deleteGoneTeams(
  bus: Bus,
  teams: string[],
  deleteTeam: (teamId: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const deleted = new Set<string>();
  for (let at = 0; at < teams.length; at += TEAM_BATCH_SIZE) {
    if (signal?.aborted) break;
    const part = teams.slice(at, at + TEAM_BATCH_SIZE);
    const existing = new Set(await call(bus, "teams.existing", { ids: part }));
    for (const teamId of part.filter(id => !existing.has(id))) {
      if (signal?.aborted) break;
      await deleteTeam(teamId);
      deleted.add(teamId);
    }
  }
  return deleted;
}
