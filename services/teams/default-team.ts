import type { EntityManager } from "../../mixins/database.ts";
import { makeKey } from "../../shared/api-keys.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import { firstKey } from "./keys/first-key.ts";
import { findOrCreateTeam, insertFirstKey, insertKeyUnlessKnown } from "./keys/key.store.ts";

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
    await insertKeyUnlessKnown(em, firstKey(DEFAULT_TEAM_ID, "bootstrap", bootstrapKey));
    return null;
  }
  const key = makeKey();
  return (await insertFirstKey(em, firstKey(DEFAULT_TEAM_ID, "bootstrap", key))) ? key : null;
}
