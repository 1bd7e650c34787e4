import type { EntityManager } from "../../mixins/database.ts";
import type { Caller } from "../../shared/contracts/actions.ts";
import { findKeyByHash, recordUse } from "./store.ts";

/** Who a key belongs to, and that it was used; null for a key that is unknown or revoked. */
export async function authenticate(em: EntityManager, keyHash: string): Promise<Caller | null> {
  const key = await findKeyByHash(em, keyHash);
  if (!key || key.revokedAt) return null;
  await recordUse(em, key.id, new Date());
  return { teamId: key.teamId, role: key.role, actor: { kind: "key", id: key.id, name: key.name } };
}
