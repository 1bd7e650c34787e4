import type { EntityManager } from "../../../mixins/database.ts";
import type { Identity } from "../../../shared/contracts/teams/caller.ts";
import { viewOf } from "../manage-team.ts";
import { findTeamOfKey } from "../team.store.ts";
import type { ApiKey } from "./api-key.entity.ts";
import { findKeyOfExchanged } from "./exchanged-key.store.ts";
import { findKeyByHash, recordUse } from "./key.store.ts";

/** What a key or a user has without its teams. */
export type Owner = Pick<Identity, "actor" | "madeBy" | "uploadProject" | "uploadRepository" | "provisions">;

/** Returns the actor of a key, its user, and what it is limited to. */
export function identityOfKey({
  id,
  name,
  madeBy,
  uploadProject,
  uploadRepository,
  provisions,
}: ApiKey): Owner {
  return {
    actor: { kind: "key", id, name },
    ...(madeBy !== null && { madeBy }),
    ...(uploadProject !== null && { uploadProject }),
    ...(uploadRepository !== null && { uploadRepository }),
    ...(provisions && { provisions }),
  };
}

/** Returns the identity of a key, or of the key that a short-lived one stands for, and records its use. Returns null for an unknown or revoked key. */
export async function authenticate(em: EntityManager, keyHash: string): Promise<Identity | null> {
  const key = (await findKeyByHash(em, keyHash)) ?? (await findKeyOfExchanged(em, keyHash));
  if (!key || key.revokedAt) return null;
  const [team] = await findTeamOfKey(em, key.id);
  if (!team) return null;
  await recordUse(em, key.id, new Date());
  return { ...identityOfKey(key), teams: [viewOf(team)], session: null };
}
