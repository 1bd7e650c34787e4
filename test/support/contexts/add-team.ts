import { hashKey } from "../../../shared/api-keys.ts";
import { newId } from "../../../shared/ids.ts";

/** Puts another team with one admin key into the database, which is asked by `query`. */
export async function addTeam(
  query: (sql: string, values: unknown[]) => Promise<unknown>,
  key: string,
): Promise<void> {
  const teamId = newId("team");
  await query("insert into teams.team (id, name, created_at) values ($1, 'Other', now())", [teamId]);
  await query(
    `insert into teams.api_key (id, team_id, name, role, hash, tail, created_at)
     values ($1, $2, 'other', 'admin', $3, $4, now())`,
    [newId("key"), teamId, hashKey(key), key.slice(-4)],
  );
}
