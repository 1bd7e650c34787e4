import { hashKey } from "../../../shared/api-keys.ts";
import { newId } from "../../../shared/ids.ts";
import type { ApiKey } from "./api-key.entity.ts";

/** Returns the first admin key of a team, which belongs to no user. @param key the key as its user sends it */
export function firstKey(teamId: string, name: string, key: string): ApiKey {
  return {
    id: newId("key"),
    teamId,
    madeBy: null,
    name,
    role: "admin",
    uploadProject: null,
    uploadRepository: null,
    provisions: false,
    hash: hashKey(key),
    tail: key.slice(-4),
    createdAt: new Date(),
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  };
}
