import type { EntityManager } from "../../mixins/database.ts";
import { hashKey, makeKey } from "../../shared/api-keys.ts";
import type { Caller } from "../../shared/contracts/actions.ts";
import type { CreatedKey, CreateKey, KeyList, KeyView } from "../../shared/contracts/http.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { newId } from "../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../shared/pagination.ts";
import type { ApiKey } from "./api-key.entity.ts";
import { findKeys, insertKey, revokeKey as revokeStoredKey } from "./store.ts";

/** Makes a key for the caller's team; the answer is the only place where the key itself is ever seen. */
export async function createKey(
  em: EntityManager,
  caller: Caller,
  { name, role }: CreateKey,
): Promise<CreatedKey> {
  const key = makeKey();
  const stored: ApiKey = {
    id: newId("key"),
    teamId: caller.teamId,
    name,
    role,
    hash: hashKey(key),
    tail: key.slice(-4),
    createdAt: new Date(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertKey(em, stored);
  return { ...viewOf(stored), key };
}

/** The keys of the caller's team, newest first. */
export async function listKeys(
  em: EntityManager,
  caller: Caller,
  page: { limit: number; cursor?: string },
): Promise<KeyList> {
  const before = decodeCursor(page.cursor);
  const keys = await findKeys(em, caller.teamId, { limit: page.limit, ...(before && { before }) });
  return pageOf(keys, page.limit, viewOf);
}

/** @throws ServiceError not_found; conflict for the last admin key, without which nobody could make another */
export async function revokeKey(em: EntityManager, caller: Caller, id: string): Promise<void> {
  const outcome = await revokeStoredKey(em, caller.teamId, id);
  if (outcome === "missing") throw notFound("API key", id);
  if (outcome === "last_admin") {
    throw new ServiceError("conflict", "This is the team's last admin key. Make another admin key first.");
  }
}

function viewOf(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    role: key.role,
    tail: key.tail,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}
