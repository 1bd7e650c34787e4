import type { EntityManager } from "../../mixins/database.ts";
import { hashKey, makeKey } from "../../shared/api-keys.ts";
import { DEFAULT_TEAM_ID, newId } from "../../shared/ids.ts";
import type { ApiKey } from "./api-key.entity.ts";
import { findOrCreateTeam, insertFirstKey, insertKeyUnlessKnown } from "./key.store.ts";

/**
 * Makes the default team and its first admin key where they are missing. Nodes that start at once take turns.
 * @returns the key when one was made up here: the only moment at which it can be shown
 */
export async function ensureDefaultTeam(
  em: EntityManager,
  bootstrapKey: string | null,
): Promise<string | null> {
  await findOrCreateTeam(em, DEFAULT_TEAM_ID, "Default");
  if (bootstrapKey !== null) {
    await insertKeyUnlessKnown(em, adminKey(bootstrapKey));
    return null;
  }
  const key = makeKey();
  return (await insertFirstKey(em, adminKey(key))) ? key : null;
}

function adminKey(key: string): ApiKey {
  return {
    id: newId("key"),
    teamId: DEFAULT_TEAM_ID,
    madeBy: null,
    name: "bootstrap",
    role: "admin",
    hash: hashKey(key),
    tail: key.slice(-4),
    createdAt: new Date(),
    lastUsedAt: null,
    revokedAt: null,
  };
}
