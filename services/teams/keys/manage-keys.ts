import type { EntityManager } from "../../../mixins/database.ts";
import { hashKey, makeKey } from "../../../shared/api-keys.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { CreatedKey, CreateKey, KeyList, KeyView } from "../../../shared/contracts/teams/keys.ts";
import { notFound } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { inTeam } from "../in-team.ts";
import type { ApiKey } from "./api-key.entity.ts";
import { findKey, findKeys, insertKey, revokeKey as revokeStoredKey } from "./key.store.ts";

const DAY_MS = 24 * 60 * 60_000;

/**
 * Creates a key for the caller's team. Only this response contains the key itself. The key belongs to the caller, or to
 * the user of the calling key. It can never do more than that user.
 */
export function createKey(
  em: EntityManager,
  caller: Caller,
  { name, role, scope, project, repository, expiresInDays }: CreateKey,
): Promise<CreatedKey> {
  return inTeam(em, caller, "admin", async ({ tx, team, note }) => {
    const { actor } = caller;
    const provisions = scope === "scim";
    const ownerId = actor.kind === "user" ? actor.id : ((await findKey(tx, actor.id))?.madeBy ?? null);
    // Provisioning goes on when the admin who set it up is deactivated by it.
    const madeBy = provisions ? null : ownerId;
    const key = makeKey();
    const createdAt = new Date();
    const stored: ApiKey = {
      id: newId("key"),
      teamId: team.id,
      madeBy,
      name,
      role: provisions ? "viewer" : role,
      provisions,
      uploadProject: project ?? null,
      uploadRepository: repository ?? null,
      hash: hashKey(key),
      tail: key.slice(-4),
      createdAt,
      lastUsedAt: null,
      expiresAt: expiresInDays === undefined ? null : new Date(createdAt.getTime() + expiresInDays * DAY_MS),
      revokedAt: null,
    };
    await insertKey(tx, stored);
    await note("key.created", stored.id, {
      ...(provisions ? { name, scope: "scim" } : { name, role }),
      ...(project !== undefined && { project }),
      ...(repository !== undefined && { repository }),
      ...(stored.expiresAt && { expires: stored.expiresAt.toISOString().slice(0, 10) }),
    });
    return { ...viewOf(stored), key };
  });
}

/** Lists the keys of the caller's team, newest first. */
export async function listKeys(
  em: EntityManager,
  caller: Caller,
  page: { limit: number; cursor?: string },
): Promise<KeyList> {
  const before = decodeCursor("keys", page.cursor);
  const keys = await findKeys(em, caller.teamId, { limit: page.limit, ...(before && { before }) });
  return pageOf("keys", keys, page.limit, viewOf);
}

/** @throws ServiceError not_found; conflict for the last admin key of a team without another admin */
export async function revokeKey(em: EntityManager, caller: Caller, id: string): Promise<void> {
  await inTeam(em, caller, "admin", async ({ tx, team, note }) => {
    const key = await revokeStoredKey(tx, team.id, id);
    if (!key) throw notFound("API key", id);
    await note("key.revoked", id, { name: key.name });
  });
}

function scopeOf({ uploadProject, provisions }: ApiKey): KeyView["scope"] {
  if (provisions) return "scim";
  return uploadProject === null ? "team" : "upload";
}

function viewOf(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    role: key.role,
    scope: scopeOf(key),
    project: key.uploadProject,
    repository: key.uploadRepository,
    tail: key.tail,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}
