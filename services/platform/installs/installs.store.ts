import type { EntityManager } from "../../../mixins/database.ts";

/** An installation with its projects' settings, without secrets. */
export interface StoredInstall {
  id: string;
  owner_id: string | null;
  team_id: string | null;
  all_projects: boolean;
  installed_at: string | Date;
  projects: { id: string; routes: string[] | null; routesFromConfig: boolean | null; hasApiKey: boolean }[];
}

interface InstallFilter {
  /** Null for all teams. */
  teamId: string | null;
  after: string;
  limit: number;
  /** Restricts the list to one installation. */
  configurationId?: string;
}

/** Returns a page of installations, ordered by id. */
export function findInstalls(
  em: EntityManager,
  { teamId, after, limit, configurationId }: InstallFilter,
): Promise<StoredInstall[]> {
  return em.execute(
    `select i.configuration_id as id, i.owner_id, t.team_id, i.all_projects, i.installed_at,
       coalesce((select jsonb_agg(jsonb_build_object('id', s.project_id, 'routes', s.routes,
           'routesFromConfig', s.routes_from_config, 'hasApiKey', s.api_key is not null) order by s.project_id)
         from platform.project_settings s where s.configuration_id = i.configuration_id), '[]') as projects
     from platform.install i left join platform.team t on t.configuration_id = i.configuration_id
     where i.configuration_id > ? and (?::text is null or t.team_id = ?)
       and (?::text is null or i.configuration_id = ?)
     order by i.configuration_id limit ?`,
    [after, teamId, teamId, configurationId ?? null, configurationId ?? null, limit],
  );
}
