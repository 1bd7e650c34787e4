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

/** Returns teams with data, in order. */
export async function findTeams(em: EntityManager, after: string, limit: number): Promise<string[]> {
  const ofTables = TEAM_TABLES.map(
    table => `(select distinct team_id as id from scm.${table} where team_id > ? order by 1 limit ?)`,
  );
  const rows: { id: string }[] = await em.execute(
    `select id from (${ofTables.join(" union ")}) teams order by 1 limit ?`,
    [...TEAM_TABLES.flatMap(() => [after, limit]), limit],
  );
  return rows.map(({ id }) => id);
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
