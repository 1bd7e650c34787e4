import type { TeamPage } from "../../shared/delete-gone-teams.ts";
import type { EntityManager } from "./open-schema.ts";

/**
 * Returns a page of the teams in a service's tables, in order. With an index on `team_id` in each table, its cost does
 * not grow with their rows of other teams.
 * @param tables their names, or subqueries in parentheses, with a column `team_id`
 * @param after the last team of the page before. Empty for the first page
 */
export async function findTeamsIn(
  em: EntityManager,
  tables: readonly string[],
  { after, limit }: TeamPage,
): Promise<string[]> {
  const ofTables = tables.map(
    table => `(select distinct team_id as id from ${table} t where team_id > ? order by 1 limit ?)`,
  );
  const rows: { id: string }[] = await em.execute(
    `select id from (${ofTables.join(" union ")}) teams order by 1 limit ?`,
    [...tables.flatMap(() => [after, limit]), limit],
  );
  return rows.map(({ id }) => id);
}
