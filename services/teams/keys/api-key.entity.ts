import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";

/** An API key; the key itself is not kept. */
export const ApiKeyEntity = defineEntity({
  name: "ApiKey",
  tableName: "api_key",
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    /** The person who made it, through whatever keys: it can do no more than she; null for a key of nobody's. */
    madeBy: p.string().strictNullable(),
    name: p.string(),
    role: p.enum(ROLES),
    /** SHA-256 of the key, hex. A key has 190 random bits, so that a slow hash would protect nothing more. */
    hash: p.string(),
    /** The key's last four characters. */
    tail: p.string(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
  },
});

export type ApiKey = InferEntity<typeof ApiKeyEntity>;
