import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";

/** A user, as the code host or an identity provider knows them. */
export const UserEntity = defineEntity({
  name: "User",
  tableName: "user",
  properties: {
    id: p.string().primary(),
    /** The account's number at the code host, which stays when the login changes. Null for accounts of a provider. */
    hostId: p.string().strictNullable(),
    /** The identity provider of the account. Null for the code host. */
    provider: p.string().strictNullable(),
    /** The account's subject at the provider. */
    subject: p.string().strictNullable(),
    /** Null after another account took the login. */
    login: p.string().strictNullable(),
    name: p.string().strictNullable(),
    /** The verified email address; null if there is none. */
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
