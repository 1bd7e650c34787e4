import type { EntityManager } from "../../mixins/database.ts";

/** Tables with rows of teams. Threads and replies go with their run. */
export const TEAM_TABLES = [
  "connection",
  "forwarded_run",
  "external_run",
  "check_run",
  "mirrored_run",
] as const;

/** Deletes the data of a deleted team. A repeated call continues. */
export async function deleteTeamData(em: EntityManager, teamId: string): Promise<void> {
  for (const table of TEAM_TABLES) await em.execute(`delete from scm.${table} where team_id = ?`, [teamId]);
}
