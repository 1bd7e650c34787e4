import { defineEntity, p } from "@mikro-orm/core";

/** People and keys that share projects and baselines. */
export const TeamEntity = defineEntity({
  name: "Team",
  tableName: "team",
  properties: {
    id: p.string().primary(),
    name: p.string(),
    createdAt: p.datetime(),
  },
});
