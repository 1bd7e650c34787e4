import type { EntityManager } from "../../../mixins/database.ts";

/** Locks the trials of a team until the transaction ends. @returns how many it submitted in the last minute */
export async function countRecentTrials(em: EntityManager, teamId: string): Promise<number> {
  await em.execute("select pg_advisory_xact_lock(hashtext(?))", [`vrs trials ${teamId}`]);
  const [row]: { trials: number }[] = await em.execute(
    `select count(*)::int as trials from runs.run
     where team_id = ? and kind = 'trial' and created_at > now() - interval '1 minute'`,
    [teamId],
  );
  return row?.trials ?? 0;
}
