import type { EntityManager } from "../../../mixins/database.ts";

/**
 * Joins a membership `m` of a team `t`, which may be missing, with whether the plan has no seat for the member. Admins
 * get their seats first, so that one is always left, then the earliest members.
 */
export const SEAT = `cross join lateral (
  select m.user_id is not null and t.seats is not null and t.seats <= (
    select count(*) from teams.membership o
    where o.team_id = m.team_id
      and (o.role <> 'admin', o.joined_at, o.user_id) < (m.role <> 'admin', m.joined_at, m.user_id)
  ) as missing
) seat`;

/** Saves the number of seats in a team's plan; null for no limit. @returns whether it changed */
export async function setSeats(em: EntityManager, teamId: string, seats: number | null): Promise<boolean> {
  const rows: object[] = await em.execute(
    "update teams.team set seats = ? where id = ? and seats is distinct from ? returning id",
    [seats, teamId, seats],
  );
  return rows.length === 1;
}

/** Finds teams with more than one member, by id. */
export async function findSharedTeams(
  em: EntityManager,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select team_id as id from teams.membership where team_id > ?
     group by team_id having count(*) > 1 order by team_id limit ?`,
    [after, limit],
  );
  return rows.map(row => row.id);
}
