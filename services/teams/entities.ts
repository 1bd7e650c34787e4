import { ActivityEntity } from "./activity.entity.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { InvitationEntity } from "./invitation.entity.ts";
import { MembershipEntity } from "./membership.entity.ts";
import { TeamEntity } from "./team.entity.ts";
import { UserEntity } from "./user.entity.ts";

/** Everything that the teams service keeps. */
export const entities = [
  TeamEntity,
  ApiKeyEntity,
  UserEntity,
  MembershipEntity,
  InvitationEntity,
  ActivityEntity,
];
