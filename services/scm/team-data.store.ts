import type { EntityManager } from "../../mixins/database.ts";

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

/** Returns all teams with data. */
export async function findTeams(em: EntityManager): Promise<string[]> {
  const ofTables = TEAM_TABLES.map(
    table => `select team_id as id from scm.${table} where team_id is not null`,
  );
  const rows: { id: string }[] = await em.execute(ofTables.join(" union "));
  return rows.map(({ id }) => id);
}

/** Deletes the data of a deleted team. A repeated call continues. */
export async function deleteTeamData(em: EntityManager, teamId: string): Promise<void> {
  // Before the connections, which name the rows.
  for (const [table, column] of CONNECTION_COLUMNS)
    await em.execute(
      `delete from scm.${table} where ${column} in (select id from scm.connection where team_id = ?)`,
      [teamId],
    );
  for (const table of TEAM_TABLES) await em.execute(`delete from scm.${table} where team_id = ?`, [teamId]);
}
