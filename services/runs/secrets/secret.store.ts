import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import { newId } from "../../../shared/ids.ts";

const PURPOSE = "project secret";

/** The project whose secrets are meant. */
export interface SecretOwner {
  teamId: string;
  /** Name of the project. */
  project: string;
}

/** A secret without its value. */
export interface StoredSecret {
  name: string;
  changedBy: string;
  changedAt: Date;
}

const COLUMNS = `name, changed_by as "changedBy", changed_at as "changedAt"`;

/** Locks the secrets of a project against other changes until the transaction ends. */
export async function lockSecrets(em: EntityManager, { teamId, project }: SecretOwner): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtext(?))", [`vrs secrets ${teamId} ${project}`]);
}

/** Sets a secret, and returns it without its value. */
export async function writeSecret(
  em: EntityManager,
  { teamId, project }: SecretOwner,
  { name, value, changedBy }: { name: string; value: string; changedBy: string },
): Promise<StoredSecret> {
  const sealed = JSON.stringify(sealJson(secretsOf(em), value, PURPOSE));
  const rows: StoredSecret[] = await em.execute(
    `insert into runs.secret (id, team_id, project, name, value, changed_by) values (?, ?, ?, ?, ?::jsonb, ?)
     on conflict (team_id, project, name) do update
       set value = excluded.value, changed_by = excluded.changed_by, changed_at = now()
     returning ${COLUMNS}`,
    [newId("sec"), teamId, project, name, sealed, changedBy],
  );
  const [secret] = rows;
  if (!secret) throw new Error("An insertion returns its row.");
  return secret;
}

/** Lists the secrets of a project by name, without their values. */
export function findSecrets(em: EntityManager, { teamId, project }: SecretOwner): Promise<StoredSecret[]> {
  return em.execute(`select ${COLUMNS} from runs.secret where team_id = ? and project = ? order by name`, [
    teamId,
    project,
  ]);
}

/** Deletes a secret. @returns whether this call did it */
export async function removeSecret(
  em: EntityManager,
  { teamId, project }: SecretOwner,
  name: string,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    "delete from runs.secret where team_id = ? and project = ? and name = ? returning id",
    [teamId, project, name],
  );
  return rows.length === 1;
}

/** Returns the values of these secrets by name, as far as they exist. */
export async function readSecretValues(
  em: EntityManager,
  { teamId, project }: SecretOwner,
  names: readonly string[],
): Promise<Record<string, string>> {
  if (names.length === 0) return {};
  const rows: { name: string; value: unknown }[] = await em.execute(
    `select name, value from runs.secret where team_id = ? and project = ?
       and name in (select jsonb_array_elements_text(?::jsonb))`,
    [teamId, project, JSON.stringify(names)],
  );
  const box = secretsOf(em);
  return Object.fromEntries(rows.map(({ name, value }) => [name, String(openJson(box, value, PURPOSE))]));
}
