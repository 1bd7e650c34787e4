import type { EntityManager } from "../../mixins/database.ts";
import { makeKey } from "../../shared/api-keys.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import { firstKey } from "./keys/first-key.ts";
import { findOrCreateTeam, insertFirstKey, insertKeyUnlessKnown } from "./keys/key.store.ts";

/**
 * Creates the default team and its first admin key if they are missing. Nodes that start at once wait for each other.
 * @returns the key if it was created here; it cannot be shown later
 */
export async function ensureDefaultTeam(
  em: EntityManager,
  bootstrapKey: string | null,
): Promise<string | null> {
  await findOrCreateTeam(em, DEFAULT_TEAM_ID, "Default");
  if (bootstrapKey !== null) {
    await insertKeyUnlessKnown(em, firstKey(DEFAULT_TEAM_ID, "bootstrap", bootstrapKey));
    return null;
  }
  const key = makeKey();
  return (await insertFirstKey(em, firstKey(DEFAULT_TEAM_ID, "bootstrap", key))) ? key : null;
}
