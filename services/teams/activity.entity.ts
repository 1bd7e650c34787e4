import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { ACTIVITY_TYPES } from "../../shared/contracts/teams/people.ts";

/** Something that somebody changed in a team. Names are those of the moment. */
export const ActivityEntity = defineEntity({
  name: "Activity",
  tableName: "activity",
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    type: p.enum(ACTIVITY_TYPES),
    actorKind: p.enum(["key", "user", "service"]),
    actorId: p.string(),
    actorName: p.string(),
    /** What it was done to: an id, a login, a name. */
    target: p.string().strictNullable(),
    details: p.json<Record<string, string | number>>(),
    at: p.datetime(),
  },
});

export type Activity = InferEntity<typeof ActivityEntity>;
