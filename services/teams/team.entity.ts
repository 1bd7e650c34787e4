import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** People and keys that share projects and baselines. */
export const TeamEntity = defineEntity({
  name: "Team",
  tableName: "team",
  properties: {
    id: p.string().primary(),
    name: p.string(),
    createdAt: p.datetime(),
    /** From then on it opens nothing, and can be restored for a while. */
    deletedAt: p.datetime().strictNullable(),
    /** How many members its plan has places for, as far as is known; null for any number. */
    seats: p.integer().strictNullable(),
  },
});

export type Team = InferEntity<typeof TeamEntity>;
