import { defineEntity, p } from "@mikro-orm/core";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";

/** A person's place in a team. */
export const MembershipEntity = defineEntity({
  name: "Membership",
  tableName: "membership",
  properties: {
    teamId: p.string().primary(),
    userId: p.string().primary(),
    role: p.enum(ROLES),
    joinedAt: p.datetime(),
  },
});
