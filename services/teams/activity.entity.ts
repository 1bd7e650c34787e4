import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { ACTIVITY_TYPES } from "../../shared/contracts/teams/people.ts";

/** A change in a team. Names are those at the time of the change. */
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
    /** The changed object: an id, a login, or a name. */
    target: p.string().strictNullable(),
    details: p.json<Record<string, string | number>>(),
    at: p.datetime(),
  },
});

export type Activity = InferEntity<typeof ActivityEntity>;
