import type { EntityManager } from "../../../mixins/database.ts";
import { type Consent, ConsentEntity } from "./consent.entity.ts";

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

/** A page of all records, by their keys. */
export function findConsents(
  em: EntityManager,
  { after, limit }: { after: string; limit: number },
): Promise<Consent[]> {
  return em.find(ConsentEntity, { key: { $gt: after } }, { orderBy: { key: "asc" }, limit });
}

/** Writes a record of its own; one that came with an installation stays that, one that a team's brought becomes one. */
export async function putConsent(em: EntityManager, key: string): Promise<Consent> {
  await em.execute(
    `insert into platform.consent (key, registered_at) values (?, now())
     on conflict (key) do update set registered_by = null`,
    [key],
  );
  return em.findOneOrFail(ConsentEntity, { key });
}

/** Removes a record with what was registered under it. @returns whether it was there */
export async function deleteConsent(em: EntityManager, key: string): Promise<boolean> {
  return (await em.nativeDelete(ConsentEntity, { key })) > 0;
}

export function projectKey(projectId: string | null): string | null {
  return projectId === null ? null : `project:${projectId}`;
}

export function teamKey(ownerId: string | null): string | null {
  return ownerId === null ? null : `team:${ownerId}`;
}
