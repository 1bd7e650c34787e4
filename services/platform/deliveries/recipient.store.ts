import { type EntityManager, openJson, secretsOf } from "../../../mixins/database.ts";
import type { PlatformToken } from "../api/platform-api.ts";
import { projectKey } from "../installs/consent.store.ts";
import type { ProjectKey, ProjectSettings } from "../installs/project-settings.store.ts";
import type { PlatformEvent } from "./platform-event.rule.ts";

/** The installation that a delivery's run is for. */
export interface Recipient {
  configurationId: string;
  /** Whether its team is known. */
  isDecided: boolean;
  /** The team's key; null for the process's key. */
  teamKey: string | null;
  project: ProjectSettings;
  /** Whether the project's variables at the platform had a key when they were last read. */
  hasVariableKey: boolean;
  /** The token for the platform's API; null for installations from before it was stored. */
  token: PlatformToken | null;
}

/** The platform's ids of a deployment's owner. */
type DeploymentOwner = Pick<PlatformEvent, "configurationId" | "projectId" | "ownerId">;

interface Row {
  configuration_id: string;
  is_decided: boolean;
  team_key: string | null;
  routes: string[] | null;
  routes_from_config: boolean | null;
  project_key: string | null;
  has_variable_key: boolean;
  access_token: string | null;
  token_team_id: string | null;
}

/** Returns the recipient of a delivery, or null without an installation. */
export async function findRecipient(
  em: EntityManager,
  { configurationId, projectId, ownerId }: DeploymentOwner,
): Promise<Recipient | null> {
  const [row]: Row[] = await em.execute(
    `select i.configuration_id, t.decided_at is not null as is_decided, t.api_key as team_key,
       s.routes, s.routes_from_config, s.api_key as project_key,
       exists (select from platform.variable_key k
         where k.configuration_id = i.configuration_id and k.project_id = ?) as has_variable_key,
       i.access_token, i.token_team_id
     from platform.install i
     left join platform.team t on t.configuration_id = i.configuration_id
     left join platform.project_settings s on s.configuration_id = i.configuration_id and s.project_id = ?
     where i.configuration_id = ? or i.owner_id = ?
       or i.configuration_id = (select configuration_id from platform.consent where key = ?)
     order by (i.configuration_id = ?) is true desc, (i.owner_id = ?) is true desc limit 1`,
    [projectId, projectId, configurationId, ownerId, projectKey(projectId), configurationId, ownerId],
  );
  if (!row) return null;
  const secrets = secretsOf(em);
  const accessToken = openJson<string | null>(secrets, row.access_token, "platform token");
  return {
    configurationId: row.configuration_id,
    isDecided: row.is_decided,
    teamKey: openJson(secrets, row.team_key, "api key"),
    project: {
      routes: row.routes,
      routesFromConfig: row.routes_from_config,
      apiKey: openJson(secrets, row.project_key, "api key"),
    },
    hasVariableKey: row.has_variable_key,
    token: accessToken === null ? null : { accessToken, teamId: row.token_team_id },
  };
}

/** Saves whether a project's variables at the platform have a key. */
export async function saveVariableKey(
  em: EntityManager,
  { configurationId, projectId }: ProjectKey,
  hasKey: boolean,
): Promise<void> {
  const sql = hasKey
    ? "insert into platform.variable_key (configuration_id, project_id) values (?, ?) on conflict do nothing"
    : "delete from platform.variable_key where configuration_id = ? and project_id = ?";
  await em.execute(sql, [configurationId, projectId]);
}

/** Returns whether any installation or project has its own key. */
export async function hasOwnKeys(em: EntityManager): Promise<boolean> {
  const rows: object[] = await em.execute(
    `select 1 from platform.team where api_key is not null
     union all select 1 from platform.project_settings where api_key is not null
     union all select 1 from platform.variable_key limit 1`,
  );
  return rows.length > 0;
}
