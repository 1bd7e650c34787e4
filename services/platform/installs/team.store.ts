import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";

/** Longer than making a team may take. */
const CLAIM = "interval '30 seconds'";

/** The team of an installation. A null key is that of the process: the team is its. */
export interface InstallTeam {
  teamId: string | null;
  apiKey: string | null;
}

/** Claims the deciding of an installation's team, which one can at a time. @returns false where it is decided or another's to decide */
export async function claimTeam(em: EntityManager, configurationId: string): Promise<boolean> {
  const claimed: object[] = await em.execute(
    `insert into platform.team as t (configuration_id, owner_id)
     values (?, (select owner_id from platform.install where configuration_id = ?))
     on conflict (configuration_id) do update set claimed_at = now()
       where t.decided_at is null and t.claimed_at < now() - ${CLAIM}
     returning 1`,
    [configurationId, configurationId],
  );
  return claimed.length > 0;
}

/** Lets go of what was claimed and not decided, so that the next one can try. */
export async function releaseTeam(em: EntityManager, configurationId: string): Promise<void> {
  await em.execute("delete from platform.team where configuration_id = ? and decided_at is null", [
    configurationId,
  ]);
}

/** The team of an installation; null where none is decided. */
export async function findTeam(em: EntityManager, configurationId: string): Promise<InstallTeam | null> {
  const [row]: { team_id: string | null; api_key: string | null }[] = await em.execute(
    "select team_id, api_key from platform.team where configuration_id = ? and decided_at is not null",
    [configurationId],
  );
  return row ? { teamId: row.team_id, apiKey: openJson(secretsOf(em), row.api_key, "api key") } : null;
}

/** Decides the team of an installation, also of one that is still to come. */
export async function putTeam(
  em: EntityManager,
  configurationId: string,
  { teamId, apiKey }: InstallTeam,
): Promise<void> {
  const sealed = apiKey === null ? null : JSON.stringify(sealJson(secretsOf(em), apiKey, "api key"));
  await em.execute(
    `insert into platform.team (configuration_id, owner_id, team_id, api_key, decided_at)
     values (?, (select owner_id from platform.install where configuration_id = ?), ?, ?::jsonb, now())
     on conflict (configuration_id) do update
       set team_id = excluded.team_id, api_key = excluded.api_key, decided_at = excluded.decided_at`,
    [configurationId, configurationId, teamId, sealed],
  );
}

/** Gives an installation the team that its account had before, if it has none of its own. */
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
