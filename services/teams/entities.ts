import { ActivityEntity } from "./activity.entity.ts";
import { ApiKeyEntity } from "./keys/api-key.entity.ts";
import { InvitationEntity } from "./members/invitation.entity.ts";
import { MembershipEntity } from "./members/membership.entity.ts";
import { UserEntity } from "./members/user.entity.ts";
import { TeamEntity } from "./team.entity.ts";

/** Everything that the teams service keeps. */
export const entities = [
  TeamEntity,
  ApiKeyEntity,
  UserEntity,
  MembershipEntity,
  InvitationEntity,
  ActivityEntity,
];
