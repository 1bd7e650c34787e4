import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";

/** An API key. The key itself is not stored. */
export const ApiKeyEntity = defineEntity({
  name: "ApiKey",
  tableName: "api_key",
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    /**
     * The user who created it, directly or with another key. It can do no more than that user. Null for a key without a
     * user.
     */
    madeBy: p.string().strictNullable(),
    name: p.string(),
    role: p.enum(ROLES),
    /** The project of a key that can only upload to it. Null for all other keys. */
    uploadProject: p.string().strictNullable(),
    /** The repository whose CI jobs get short-lived keys with its rights. */
    uploadRepository: p.string().strictNullable(),
    /** Whether it can only provision users by SCIM. */
    provisions: p.boolean(),
    /** SHA-256 of the key, hex. The key has 190 random bits, so a slow hash would protect nothing more. */
    hash: p.string(),
    /** The key's last four characters. */
    tail: p.string(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().strictNullable(),
    /** From then on, requests with the key fail. Null for a key that never expires. */
    expiresAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
  },
});

export type ApiKey = InferEntity<typeof ApiKeyEntity>;
