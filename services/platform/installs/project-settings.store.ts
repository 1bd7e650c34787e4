import { type EntityManager, sealJson, secretsOf } from "../../../mixins/database.ts";

/** What a project's runs are submitted with; null for what the installation or the process says. */
export interface ProjectSettings {
  routes: string[] | null;
  routesFromConfig: boolean | null;
  apiKey: string | null;
}

interface OfProject {
  configurationId: string;
  projectId: string;
}

/** So many projects of one installation have settings of their own. */
const PROJECTS_AT_MOST = 1_000;

/** Writes what is given of a project's settings; the rest stays. @returns false where the installation has too many */
export async function putProjectSettings(
  em: EntityManager,
  { configurationId, projectId }: OfProject,
  { routes, routesFromConfig, apiKey }: Partial<ProjectSettings>,
): Promise<boolean> {
  const secrets = secretsOf(em);
  const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));
  const key = apiKey === undefined || apiKey === null ? null : sealJson(secrets, apiKey, "api key");
  const given = [routes, routesFromConfig, apiKey].map(value => value !== undefined);
  const written: object[] = await em.execute(
    `insert into platform.project_settings as s (configuration_id, project_id, routes, routes_from_config, api_key)
     select ?, ?, ?::jsonb, ?::boolean, ?::jsonb
     where (select count(*) from platform.project_settings where configuration_id = ? and project_id <> ?) < ${PROJECTS_AT_MOST}
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

/** Gives the settings of the account's other installations to this one, which takes their place. */
export async function moveProjectSettings(
  em: EntityManager,
  { configurationId, ownerId }: { configurationId: string; ownerId: string | null },
): Promise<void> {
  await em.execute(
    `update platform.project_settings s set configuration_id = ?
     where s.configuration_id in
         (select configuration_id from platform.install where owner_id = ? and configuration_id <> ?)
       and not exists (select 1 from platform.project_settings own
         where own.configuration_id = ? and own.project_id = s.project_id)`,
    [configurationId, ownerId, configurationId, configurationId],
  );
}

/** Deletes the settings of projects whose installation is gone. */
export async function removeProjectSettings(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from platform.project_settings s where not exists
       (select 1 from platform.install i where i.configuration_id = s.configuration_id)`,
  );
}
