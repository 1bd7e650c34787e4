import { findTeamsIn } from "../../mixins/database/find-teams.ts";
import type { EntityManager } from "../../mixins/database.ts";
import type { TeamPage } from "../../shared/delete-gone-teams.ts";

/** Tables with rows of teams. Threads and replies go with their run. */
export const TEAM_TABLES = [
  "forwarded_run",
  "external_run",
  "check_run",
  "mirrored_run",
  "connection",
] as const;

/** Columns with connections, which belong to teams. */
export const CONNECTION_COLUMNS = [
  ["bootstrap", "installation_id"],
  ["delivery", "installation_id"],
  ["pull_request", "repo_id"],
] as const;

const TABLES = TEAM_TABLES.map(table => `scm.${table}`);

/** Returns a page of the teams with data, in order. */
export function findTeams(em: EntityManager, page: TeamPage): Promise<string[]> {
  return findTeamsIn(em, TABLES, page);
}

/** Deletes the data of a deleted team. A repeated call continues. */
export async function deleteTeamData(em: EntityManager, teamId: string): Promise<void> {
  // Before the connections, which name the rows.
  await deleteOf(em, "select id from scm.connection where team_id = ?", teamId);
  for (const table of TEAM_TABLES) await em.execute(`delete from scm.${table} where team_id = ?`, [teamId]);
}

/** Deletes the data of a disconnected repository, which nothing finds afterwards. Its checks stay with the team's runs. */
export async function deleteConnectionData(em: EntityManager, connectionId: string): Promise<void> {
  await deleteOf(em, "?", connectionId);
}

async function deleteOf(em: EntityManager, connections: string, id: string): Promise<void> {
  for (const [table, column] of CONNECTION_COLUMNS)
    await em.execute(`delete from scm.${table} where ${column} in (${connections})`, [id]);
}
