import { type EntityManager, sealJson, secretsOf } from "../../../mixins/database.ts";

/** The settings of a project's runs. Null inherits from the installation or the process. */
export interface ProjectSettings {
  routes: string[] | null;
  routesFromConfig: boolean | null;
  apiKey: string | null;
}

/** The platform's ids of a project. */
export interface ProjectKey {
  configurationId: string;
  projectId: string;
}

/** Tables with rows of projects. */
const TABLES = ["platform.project_settings", "platform.variable_key"];
/** The limit of projects with settings per installation. */
const MAX_PROJECTS = 1_000;

/**
 * Saves the given settings of a project and keeps the others.
 * @returns false if the installation has too many projects
 */
export async function putProjectSettings(
  em: EntityManager,
  { configurationId, projectId }: ProjectKey,
  { routes, routesFromConfig, apiKey }: Partial<ProjectSettings>,
): Promise<boolean> {
  const secrets = secretsOf(em);
  const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));
  const key = apiKey === undefined || apiKey === null ? null : sealJson(secrets, apiKey, "api key");
  const given = [routes, routesFromConfig, apiKey].map(value => value !== undefined);
  const written: object[] = await em.execute(
    `insert into platform.project_settings as s (configuration_id, project_id, routes, routes_from_config, api_key)
     select ?, ?, ?::jsonb, ?::boolean, ?::jsonb
     where (select count(*) from platform.project_settings where configuration_id = ? and project_id <> ?) < ${MAX_PROJECTS}
     on conflict (configuration_id, project_id) do update set
       routes = case when ? then excluded.routes else s.routes end,
       routes_from_config = case when ? then excluded.routes_from_config else s.routes_from_config end,
       api_key = case when ? then excluded.api_key else s.api_key end,
       updated_at = now()
     returning 1`,
    [
      configurationId,
      projectId,
      json(routes),
      routesFromConfig ?? null,
      json(key),
      configurationId,
      projectId,
      ...given,
    ],
  );
  return written.length > 0;
}

/** Moves what is stored of projects from the account's other installations to the one that replaces them. */
export async function moveProjectSettings(
  em: EntityManager,
  { configurationId, ownerId }: { configurationId: string; ownerId: string | null },
): Promise<void> {
  for (const table of TABLES)
    await em.execute(
      `update ${table} s set configuration_id = ?
       where s.configuration_id in
           (select configuration_id from platform.install where owner_id = ? and configuration_id <> ?)
         and not exists (select 1 from ${table} own
           where own.configuration_id = ? and own.project_id = s.project_id)`,
      [configurationId, ownerId, configurationId, configurationId],
    );
}

/** Deletes what is stored of projects without an installation. */
export async function deleteProjectSettings(em: EntityManager): Promise<void> {
  for (const table of TABLES)
    await em.execute(
      `delete from ${table} s where not exists
         (select 1 from platform.install i where i.configuration_id = s.configuration_id)`,
    );
}
