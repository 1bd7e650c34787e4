import { LockMode, raw } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import { NEW_TEAM, TeamEntity } from "../team.entity.ts";
import { type ApiKey, ApiKeyEntity } from "./api-key.entity.ts";

/** Queries about keys. `em` is one unit of work. */

export async function findOrCreateTeam(em: EntityManager, id: string, name: string): Promise<void> {
  await em.upsert(
    TeamEntity,
    { ...NEW_TEAM, id, name, createdAt: new Date() },
    { onConflictAction: "ignore" },
  );
}

/** Finds a key by its hash, also a revoked one. */
export function findKeyByHash(em: EntityManager, hash: string): Promise<ApiKey | null> {
  return em.findOne(ApiKeyEntity, { hash });
}

export async function insertKey(em: EntityManager, key: ApiKey): Promise<void> {
  await em.insert(ApiKeyEntity, key);
}

/** Inserts a key unless it was inserted before, also if it was revoked since. */
export async function insertKeyUnlessKnown(em: EntityManager, key: ApiKey): Promise<void> {
  await em.upsert(ApiKeyEntity, key, { onConflictFields: ["hash"], onConflictAction: "ignore" });
}

/**
 * Inserts a key if there is no other, under a lock on its team. Concurrent callers wait and find it.
 * @returns whether it was inserted
 */
export function insertFirstKey(em: EntityManager, key: ApiKey): Promise<boolean> {
  return em.transactional(async tx => {
    await tx.findOneOrFail(TeamEntity, { id: key.teamId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if ((await tx.count(ApiKeyEntity)) > 0) return false;
    await tx.insert(ApiKeyEntity, key);
    return true;
  });
}

/** Finds keys that are not revoked, newest first, and one more than `limit` if there are more. */
export function findKeys(
  em: EntityManager,
  teamId: string,
  page: { limit: number; before?: string },
): Promise<ApiKey[]> {
  const id = page.before === undefined ? {} : { id: { $lt: page.before } };
  return em.find(
    ApiKeyEntity,
    { teamId, revokedAt: null, ...id },
    { orderBy: { id: "desc" }, limit: page.limit + 1 },
  );
}

/** Records a use, at most once a minute per key. */
export async function recordUse(em: EntityManager, id: string, at: Date): Promise<void> {
  const before = new Date(at.getTime() - 60_000);
  await em.nativeUpdate(
    ApiKeyEntity,
    { id, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: before } }] },
    { lastUsedAt: at },
  );
}

/** Revokes a key of a team. @returns the key, or null if there is none */
export async function revokeKey(tx: EntityManager, teamId: string, id: string): Promise<ApiKey | null> {
  const key = await tx.findOne(ApiKeyEntity, { id, teamId, revokedAt: null });
  if (key) await tx.nativeUpdate(ApiKeyEntity, { id }, { revokedAt: raw("now()") });
  return key;
}

/** Finds a key that is not revoked or expired. */
export function findKey(em: EntityManager, id: string): Promise<ApiKey | null> {
  const isValid = { $or: [{ expiresAt: null }, { expiresAt: { $gt: raw("now()") } }] };
  return em.findOne(ApiKeyEntity, { id, revokedAt: null, ...isValid });
}
