import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";

/** An invitation for a login, or for a verified email address. */
export const InvitationEntity = defineEntity({
  name: "Invitation",
  tableName: "invitation",
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    login: p.string().strictNullable(),
    email: p.string().strictNullable(),
    role: p.enum(ROLES),
    /** The inviting actor's name. */
    invitedBy: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    /** Null until the email was sent, and for invitations by login. */
    mailedAt: p.datetime().strictNullable(),
  },
});

export type Invitation = InferEntity<typeof InvitationEntity>;
