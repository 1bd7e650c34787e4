import { type Bus, call } from "./contracts/bus.ts";

/** In one question to the teams service. */
const TEAMS_AT_ONCE = 200;

/**
 * Deletes what a service has of those of these teams that are gone for good, whether or not it was told of their end;
 * nothing of the others, whoever says that they are gone.
 * @param forget deletes all that there is of one
 * @returns those that it forgot
 */
export async function deleteGoneTeams(
  bus: Bus,
  teams: string[],
  forget: (teamId: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const forgotten = new Set<string>();
  for (let at = 0; at < teams.length; at += TEAMS_AT_ONCE) {
    if (signal?.aborted) break;
    const part = teams.slice(at, at + TEAMS_AT_ONCE);
    const existing = new Set(await call(bus, "teams.existing", { ids: part }));
    for (const teamId of part.filter(id => !existing.has(id))) {
      if (signal?.aborted) break;
      await forget(teamId);
      forgotten.add(teamId);
    }
  }
  return forgotten;
}
