import type { EntityManager } from "../../mixins/database.ts";

/** Whose deployment it is, by the platform's ids. */
interface Whose {
  projectId: string | null;
  ownerId: string | null;
}

/**
 * Whether a project's custom domains may be rendered: it was consented to, or all of its team's projects were. One that
 * is new under a team's record is registered under it, and goes with it.
 */
export async function findConsent(em: EntityManager, { projectId, ownerId }: Whose): Promise<boolean> {
  const [project, team] = [projectKey(projectId), teamKey(ownerId)];
  const found: { key: string }[] = await em.execute(
    `select key from platform.consent
     where key = ? or (key = ? and (registered_by is null or registered_by = ?))`,
    [team, project, team],
  );
  if (project !== null && found.length > 0 && !found.some(({ key }) => key === project))
    await registerProject(em, project, team);
  return found.length > 0;
}

/**
 * Registers a project under its team's record, if that is still there. Of the installation it says nothing: who ends
 * one locks that before the records, and this would do it the other way round.
 */
async function registerProject(em: EntityManager, project: string, team: string | null): Promise<void> {
  await em.execute(
    `insert into platform.consent (key, registered_by, registered_at)
     select ?, key, now() from platform.consent where key = ? for key share
     on conflict (key) do update set registered_by = excluded.registered_by
       where consent.registered_by is not null`,
    [project, team],
  );
}

export function projectKey(projectId: string | null): string | null {
  return projectId === null ? null : `project:${projectId}`;
}

export function teamKey(ownerId: string | null): string | null {
  return ownerId === null ? null : `team:${ownerId}`;
}
