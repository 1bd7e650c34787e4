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
  },
});

export type Team = InferEntity<typeof TeamEntity>;
