import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { Configuration } from "../../../shared/contracts/configuration/configuration.ts";
import { newId } from "../../../shared/ids.ts";
import type { SecretOwner } from "../secrets/secret.store.ts";

const PURPOSE = "project configuration";
const COLUMNS = `version, settings, changed_by as "changedBy", changed_at as "changedAt"`;

/** A stored configuration of a project. */
export interface StoredConfiguration {
  /** Number of changes. */
  version: number;
  settings: Configuration;
  changedBy: string;
  changedAt: Date;
}

/** Finds a project's configuration. */
export async function findConfiguration(
  em: EntityManager,
  { teamId, project }: SecretOwner,
): Promise<StoredConfiguration | null> {
  const rows: StoredConfiguration[] = await em.execute(
    `select ${COLUMNS} from runs.configuration where team_id = ? and project = ?`,
    [teamId, project],
  );
  return opened(em, rows);
}

/** Replaces a project's configuration, if it still has this version. @returns null if it has another one */
export async function replaceConfiguration(
  em: EntityManager,
  { teamId, project }: SecretOwner,
  { version, settings, changedBy }: Omit<StoredConfiguration, "changedAt">,
): Promise<StoredConfiguration | null> {
  const sealed = JSON.stringify(sealJson(secretsOf(em), settings, PURPOSE));
  const rows: StoredConfiguration[] =
    version === 0
      ? await em.execute(
          `insert into runs.configuration (id, team_id, project, version, settings, changed_by)
           values (?, ?, ?, 1, ?::jsonb, ?) on conflict (team_id, project) do nothing returning ${COLUMNS}`,
          [newId("cfg"), teamId, project, sealed, changedBy],
        )
      : await em.execute(
          `update runs.configuration
           set version = version + 1, settings = ?::jsonb, changed_by = ?, changed_at = now()
           where team_id = ? and project = ? and version = ? returning ${COLUMNS}`,
          [sealed, changedBy, teamId, project, version],
        );
  return opened(em, rows);
}

function opened(em: EntityManager, [row]: StoredConfiguration[]): StoredConfiguration | null {
  if (!row) return null;
  return { ...row, settings: openJson(secretsOf(em), row.settings, PURPOSE) };
}
