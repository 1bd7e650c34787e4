import type { EntityManager } from "../../mixins/database.ts";
import { hashKey, makeKey } from "../../shared/api-keys.ts";
import { newId } from "../../shared/ids.ts";
import { countKeys, findKeyByHash, findOrCreateTeam, insertKey } from "./store.ts";

/** Of a fixed id, so that nodes that start at once agree on it. */
const DEFAULT_TEAM_ID = "team_00000000000000000000000000";

/**
 * Makes the default team and its first admin key where they are missing.
 * @returns the key when one was made up here: the only moment at which it can be shown
 */
export async function ensureDefaultTeam(
  em: EntityManager,
  bootstrapKey: string | null,
): Promise<string | null> {
  await findOrCreateTeam(em, DEFAULT_TEAM_ID, "Default");
  if (bootstrapKey !== null) {
    const known = await findKeyByHash(em, hashKey(bootstrapKey));
    if (!known) await insertKey(em, adminKey(bootstrapKey));
    return null;
  }
  if ((await countKeys(em)) > 0) return null;
  const key = makeKey();
  await insertKey(em, adminKey(key));
  return key;
}

function adminKey(key: string) {
  return {
    id: newId("key"),
    teamId: DEFAULT_TEAM_ID,
    name: "bootstrap",
    role: "admin" as const,
    hash: hashKey(key),
    tail: key.slice(-4),
    createdAt: new Date(),
    lastUsedAt: null,
    revokedAt: null,
  };
}
