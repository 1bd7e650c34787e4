import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";

/** A user, as the code host knows them. */
export const UserEntity = defineEntity({
  name: "User",
  tableName: "user",
  properties: {
    id: p.string().primary(),
    /** The account's number at the code host, which stays when the login changes. */
    hostId: p.string(),
    /** Null after another account took the login. */
    login: p.string().strictNullable(),
    name: p.string().strictNullable(),
    /** The verified email address; null if the code host returns none. */
    email: p.string().strictNullable(),
    createdAt: p.datetime(),
    signedInAt: p.datetime(),
  },
});

export type User = InferEntity<typeof UserEntity>;

/** The membership of a user in a team. */
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
