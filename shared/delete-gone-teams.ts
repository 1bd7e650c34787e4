import { type Bus, call } from "./contracts/bus.ts";

/** In one question to the teams service. */
const TEAM_BATCH_SIZE = 200;

/**
 * Deletes what a service has of those of these teams that are gone for good, whether or not it was told of their end;
 * nothing of the others, whoever says that they are gone.
 * @param forget deletes all that there is of one
 * @returns those that it forgot
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
