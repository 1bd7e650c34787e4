import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A person, as the code host knows her. */
export const UserEntity = defineEntity({
  name: "User",
  tableName: "user",
  properties: {
    id: p.string().primary(),
    /** The code host's number of the account, which stays when its login changes. */
    hostId: p.string(),
    /** Null once somebody else has it. */
    login: p.string().strictNullable(),
    name: p.string().strictNullable(),
    /** Where she reads mail, as the code host has verified it; null where it does not say. */
    email: p.string().strictNullable(),
    createdAt: p.datetime(),
    signedInAt: p.datetime(),
  },
});

export type User = InferEntity<typeof UserEntity>;
