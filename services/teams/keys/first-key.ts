import { hashKey } from "../../../shared/api-keys.ts";
import { newId } from "../../../shared/ids.ts";
import type { ApiKey } from "./api-key.entity.ts";

/** The admin key with which a team begins; it is nobody's. @param key as its user sends it */
export function firstKey(teamId: string, name: string, key: string): ApiKey {
  return {
    id: newId("key"),
    teamId,
    madeBy: null,
    name,
    role: "admin",
    hash: hashKey(key),
    tail: key.slice(-4),
    createdAt: new Date(),
    lastUsedAt: null,
    revokedAt: null,
  };
}
