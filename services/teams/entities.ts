import { ActivityEntity } from "./activity.entity.ts";
import { ApiKeyEntity } from "./keys/api-key.entity.ts";
import { InvitationEntity } from "./members/invitation.entity.ts";
import { MembershipEntity, UserEntity } from "./members/user.entity.ts";
import { TeamEntity } from "./team.entity.ts";

/** The entities of the teams service. */
export const entities = [
  TeamEntity,
  ApiKeyEntity,
  UserEntity,
  MembershipEntity,
  InvitationEntity,
  ActivityEntity,
];
