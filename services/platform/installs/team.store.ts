import { findTeamsIn } from "../../../mixins/database/find-teams.ts";
import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { TeamPage } from "../../../shared/delete-gone-teams.ts";

/** Longer than creating a team may take. */
const LEASE_DURATION = "interval '30 seconds'";

/** The team of an installation. A null key means the team of the process's key. */
export interface InstallTeam {
  teamId: string | null;
  apiKey: string | null;
}

/**
 * Leases the choice of an installation's team.
 * @returns false if the team is chosen, or another node holds the lease
 */
export async function leaseTeam(em: EntityManager, configurationId: string): Promise<boolean> {
  const leased: object[] = await em.execute(
    `insert into platform.team as t (configuration_id, owner_id)
     values (?, (select owner_id from platform.install where configuration_id = ?))
     on conflict (configuration_id) do update set leased_at = now()
       where t.decided_at is null and t.leased_at < now() - ${LEASE_DURATION}
     returning 1`,
    [configurationId, configurationId],
  );
  return leased.length > 0;
}

/** Releases a lease without a choice, so that the next caller can try. */
export async function releaseTeam(em: EntityManager, configurationId: string): Promise<void> {
  await em.execute("delete from platform.team where configuration_id = ? and decided_at is null", [
    configurationId,
  ]);
}

/** Returns the team of an installation, or null if none is chosen. */
export async function findTeam(em: EntityManager, configurationId: string): Promise<InstallTeam | null> {
  const [row]: { team_id: string | null; api_key: string | null }[] = await em.execute(
    "select team_id, api_key from platform.team where configuration_id = ? and decided_at is not null",
    [configurationId],
  );
  return row ? { teamId: row.team_id, apiKey: openJson(secretsOf(em), row.api_key, "api key") } : null;
}

/** Saves the team that an operator chose for an installation, also before it exists. */
export async function putTeam(em: EntityManager, configurationId: string, team: InstallTeam): Promise<void> {
  await upsertTeam(em, configurationId, team, "");
}

/** Saves the first team of an installation. @returns false if one was chosen meanwhile, which stays */
export function putFirstTeam(
  em: EntityManager,
  configurationId: string,
  team: InstallTeam,
): Promise<boolean> {
  return upsertTeam(em, configurationId, team, "where t.decided_at is null");
}

async function upsertTeam(
  em: EntityManager,
  configurationId: string,
  { teamId, apiKey }: InstallTeam,
  where: "" | "where t.decided_at is null",
): Promise<boolean> {
  const sealed = apiKey === null ? null : JSON.stringify(sealJson(secretsOf(em), apiKey, "api key"));
  const written: object[] = await em.execute(
    `insert into platform.team as t (configuration_id, owner_id, team_id, api_key, decided_at)
     values (?, (select owner_id from platform.install where configuration_id = ?), ?, ?::jsonb, now())
     on conflict (configuration_id) do update
       set team_id = excluded.team_id, api_key = excluded.api_key, decided_at = excluded.decided_at ${where}
     returning 1`,
    [configurationId, configurationId, teamId, sealed],
  );
  return written.length > 0;
}

/** Returns a page of the teams of installations, in order. */
export function findTeams(em: EntityManager, page: TeamPage): Promise<string[]> {
  return findTeamsIn(em, ["platform.team"], page);
}

/**
 * Deletes the id and the key of a team. An installation with its own team has none until an operator chooses one, so that
 * its runs never go to another team. One that uses the process's key continues with that key.
 */
export async function forgetTeam(em: EntityManager, teamId: string): Promise<void> {
  await em.transactional(async tx => {
    await tx.execute(
      `delete from platform.team t where team_id = ? and not exists
         (select 1 from platform.install i where i.configuration_id = t.configuration_id)`,
      [teamId],
    );
    await tx.execute(
      `update platform.team set team_id = null, api_key = null,
         decided_at = case when api_key is null then decided_at end,
         leased_at = case when api_key is null then leased_at else 'infinity' end
       where team_id = ?`,
      [teamId],
    );
  });
}

/** Gives an installation the previous team of its account, if it has none. */
export async function inheritTeam(
  em: EntityManager,
  { configurationId, ownerId }: { configurationId: string; ownerId: string | null },
): Promise<void> {
  await em.execute("update platform.team set owner_id = ? where configuration_id = ?", [
    ownerId,
    configurationId,
  ]);
  await em.execute(
    `insert into platform.team (configuration_id, owner_id, team_id, api_key, decided_at)
     select ?, owner_id, team_id, api_key, now() from platform.team
     where owner_id = ? and decided_at is not null order by decided_at desc limit 1
     on conflict (configuration_id) do nothing`,
    [configurationId, ownerId],
  );
}
