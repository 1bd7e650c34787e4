import { defineEntity, p } from "@mikro-orm/core";

/** What a team has used of its plan's allowances in a period. */
export const UsageEntity = defineEntity({
  name: "Usage",
  tableName: "usage",
  properties: {
    teamId: p.string().primary(),
    periodStart: p.datetime().primary(),
    runs: p.integer(),
    screenshots: p.integer(),
  },
});
