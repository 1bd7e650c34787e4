import type { EntityManager } from "../../../mixins/database.ts";
import { type Consent, ConsentEntity } from "./consent.entity.ts";

/** The platform's ids of a deployment's owner. */
interface DeploymentOwner {
  projectId: string | null;
  ownerId: string | null;
}

/**
 * Returns whether a project's custom domains may be rendered. Either the project or its team has consent. A new project
 * under a team's consent is registered under it, and removed with it.
 */
export async function findConsent(
  em: EntityManager,
  { projectId, ownerId }: DeploymentOwner,
): Promise<boolean> {
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
 * Registers a project under its team's consent, if that still exists. Does not set the installation: removing one locks
 * it before the consents, so the reverse order could deadlock.
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

/** Returns a page of consents, ordered by key. */
export function findConsents(
  em: EntityManager,
  { after, limit }: { after: string; limit: number },
): Promise<Consent[]> {
  return em.find(ConsentEntity, { key: { $gt: after } }, { orderBy: { key: "asc" }, limit });
}

/** Saves a consent of its own. An existing one keeps its installation, and one from a team becomes its own. */
export async function putConsent(em: EntityManager, key: string): Promise<Consent> {
  await em.execute(
    `insert into platform.consent (key, registered_at) values (?, now())
     on conflict (key) do update set registered_by = null`,
    [key],
  );
  return em.findOneOrFail(ConsentEntity, { key });
}

/** Deletes a consent and those registered under it. @returns whether it existed */
export async function deleteConsent(em: EntityManager, key: string): Promise<boolean> {
  return (await em.nativeDelete(ConsentEntity, { key })) > 0;
}

export function projectKey(projectId: string | null): string | null {
  return projectId === null ? null : `project:${projectId}`;
}

export function teamKey(ownerId: string | null): string | null {
  return ownerId === null ? null : `team:${ownerId}`;
}
