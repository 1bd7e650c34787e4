import { type EntityManager, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { PlatformToken } from "../api/platform-token.ts";
import { projectKey, teamKey } from "./consent.store.ts";
import { moveProjectSettings, removeProjectSettings } from "./project-settings.store.ts";
import { inheritTeam } from "./team.store.ts";

/** Who has not come back from the platform by then begins again. */
const WITHIN = "interval '30 minutes'";

/** An installation as the platform says it is. */
export interface Install {
  configurationId: string;
  /** The team's id, or of an account without teams its person's; null when the platform does not say. */
  ownerId: string | null;
  /** The projects that were selected; "all" for those of the team that there are and that come. */
  projects: string[] | "all";
  /** Null where nothing is to be asked of the platform later. */
  token?: PlatformToken | null;
}

/** Writes down an installation, in place of the one that its team had, and what it consents to. */
export function replaceInstall(em: EntityManager, install: Install): Promise<void> {
  const { configurationId, ownerId, projects, token = null } = install;
  const all = projects === "all";
  const keys = (all ? [teamKey(ownerId)] : projects.map(projectKey)).filter(key => key !== null);
  return em.transactional(async tx => {
    // Of two that come at once for one team, the second waits here.
    await tx.execute("select pg_advisory_xact_lock(hashtext(?))", [`platform ${ownerId ?? configurationId}`]);
    await moveProjectSettings(tx, install);
    await tx.execute("delete from platform.install where configuration_id = ? or owner_id = ?", [
      configurationId,
      ownerId,
    ]);
    await tx.execute(
      `insert into platform.install (configuration_id, owner_id, all_projects, installed_at, access_token, token_team_id)
       values (?, ?, ?, now(), ?::jsonb, ?)`,
      [
        configurationId,
        ownerId,
        all,
        token && JSON.stringify(sealJson(secretsOf(tx), token.accessToken, "platform token")),
        token?.teamId ?? null,
      ],
    );
    await inheritTeam(tx, install);
    await tx.execute(
      `insert into platform.consent (key, configuration_id, registered_at)
       select key, ?, now() from jsonb_array_elements_text(?::jsonb) as key order by key
       on conflict (key) do update set configuration_id = excluded.configuration_id, registered_by = null`,
      [configurationId, JSON.stringify([...new Set(keys)])],
    );
  });
}

/** Removes an installation with every consent that came with it, and the settings of its projects. */
export async function removeInstall(em: EntityManager, configurationId: string): Promise<void> {
  await em.transactional(async tx => {
    await tx.execute("delete from platform.install where configuration_id = ?", [configurationId]);
    await removeProjectSettings(tx);
  });
}

/** A way to the platform that a browser began. */
interface Begun {
  stateHash: string;
  browserHash: string;
}

export async function insertBegun(em: EntityManager, { stateHash, browserHash }: Begun): Promise<void> {
  await em.execute("insert into platform.begun (state_hash, browser_hash, created_at) values (?, ?, now())", [
    stateHash,
    browserHash,
  ]);
}

/** Takes what this browser began, which nobody can take again. @returns whether there was anything, and not too long ago */
export async function takeBegun(em: EntityManager, { stateHash, browserHash }: Begun): Promise<boolean> {
  const rows: object[] = await em.execute(
    `delete from platform.begun where state_hash = ? and browser_hash = ? and created_at > now() - ${WITHIN}
     returning 1`,
    [stateHash, browserHash],
  );
  return rows.length > 0;
}

export async function removeOldBegun(em: EntityManager): Promise<void> {
  await em.execute(`delete from platform.begun where created_at <= now() - ${WITHIN}`);
}
