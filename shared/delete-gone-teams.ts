import { type Bus, call } from "./contracts/bus.ts";

/** Teams in one request to the teams service. */
const TEAM_BATCH_SIZE = 200;

/** The teams to find: so many, after the last one of the page before. */
export interface TeamPage {
  after: string;
  limit: number;
}

/** How a service finds its teams, and deletes the data of one. */
interface TeamData {
  /** Returns a page of the teams with data, in order. */
  findTeams(page: TeamPage): Promise<string[]>;
  deleteTeam(teamId: string): Promise<void>;
}

/** Deletes a service's data of all teams that no longer exist, because the event of their deletion may get lost. */
export async function deleteAllGoneTeams(
  bus: Bus,
  { findTeams, deleteTeam }: TeamData,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined && !signal?.aborted; ) {
    const teams: string[] = await findTeams({ after, limit: TEAM_BATCH_SIZE });
    await deleteGoneTeams(bus, teams, deleteTeam, signal);
    after = teams.at(TEAM_BATCH_SIZE - 1);
  }
}

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
