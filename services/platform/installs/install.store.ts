import { type EntityManager, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { Install } from "../api/platform-api.ts";
import { projectKey, teamKey } from "./consent.store.ts";
import { deleteProjectSettings, moveProjectSettings } from "./project-settings.store.ts";
import { inheritTeam } from "./team.store.ts";

/** An installation that is not finished by then must be started again. */
const EXPIRES_AFTER = "interval '30 minutes'";

/** Saves an installation with its consents, and replaces the team's previous one. */
export function replaceInstall(em: EntityManager, install: Install): Promise<void> {
  const { configurationId, ownerId, projects, token = null } = install;
  const all = projects === "all";
  const keys = (all ? [teamKey(ownerId)] : projects.map(projectKey)).filter(key => key !== null);
  return em.transactional(async tx => {
    // The second of two concurrent installations of a team waits here.
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

/** Deletes an installation with its consents and its projects' settings. */
export async function deleteInstall(em: EntityManager, configurationId: string): Promise<void> {
  await em.transactional(async tx => {
    await tx.execute("delete from platform.install where configuration_id = ?", [configurationId]);
    await deleteProjectSettings(tx);
  });
}

/** An installation that a browser started. */
interface PendingInstall {
  stateHash: string;
  browserHash: string;
}

export async function insertPendingInstall(
  em: EntityManager,
  { stateHash, browserHash }: PendingInstall,
): Promise<void> {
  await em.execute(
    "insert into platform.pending_install (state_hash, browser_hash, created_at) values (?, ?, now())",
    [stateHash, browserHash],
  );
}

/**
 * Deletes a browser's pending installation, so that it is used only once.
 * @returns whether it existed and had not expired
 */
export async function deletePendingInstall(
  em: EntityManager,
  { stateHash, browserHash }: PendingInstall,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `delete from platform.pending_install where state_hash = ? and browser_hash = ? and created_at > now() - ${EXPIRES_AFTER}
     returning 1`,
    [stateHash, browserHash],
  );
  return rows.length > 0;
}

export async function deleteOldPendingInstalls(em: EntityManager): Promise<void> {
  await em.execute(`delete from platform.pending_install where created_at <= now() - ${EXPIRES_AFTER}`);
}
