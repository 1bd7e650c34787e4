import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import type { Change } from "../in-team.ts";
import { TEAM_ERRORS } from "../texts.ts";
import {
  countMembers,
  deleteMember,
  findMember,
  lowerKeys,
  type Member,
  putMember,
  revokeKeysOf,
} from "./member.store.ts";

/** What a change of one member needs. */
export type MemberChange = Pick<Change, "tx" | "team" | "note">;

/** @throws ServiceError plan_limit_exceeded */
export function requireSeats(limit: number | null, used: number, usedAfter: number): void {
  if (limit === null || usedAfter <= limit) return;
  throw new ServiceError("plan_limit_exceeded", TEAM_ERRORS.seatsFull(limit, used, usedAfter - used), {
    limit,
    used,
  });
}

/**
 * Adds a user to the team, or changes the role.
 * @param managedBy what manages the membership from now on. Undefined: as before @throws ServiceError not_found
 */
export async function setRole(
  { tx, team, note }: MemberChange,
  userId: string,
  role: Role,
  changedIds: string[],
  managedBy?: string,
): Promise<Member> {
  const before = await findMember(tx, team.id, userId);
  await putMember(tx, team.id, userId, role, managedBy);
  const member = await findMember(tx, team.id, userId);
  if (!member) throw notFound("member", userId);
  if (before?.role === role) return member;
  changedIds.push(userId, ...(await othersWithSeats(tx, team)));
  if (before) await note("member.changed", nameOf(member), { before: before.role, role });
  else await note("member.joined", nameOf(member), { role });
  for (const { id, name } of await lowerKeys(tx, team.id, userId, role)) {
    changedIds.push(id);
    await note("key.lowered", id, { name, role });
  }
  return member;
}

/** Removes a user and the user's keys from the team. */
export async function removeFromTeam(
  { tx, team, note }: MemberChange,
  member: Member,
  callerId: string,
  changedIds: string[],
): Promise<void> {
  await deleteMember(tx, team.id, member.id);
  changedIds.push(member.id, ...(await othersWithSeats(tx, team)));
  await note(member.id === callerId ? "member.left" : "member.removed", nameOf(member));
  for (const { id, name } of await revokeKeysOf(tx, team.id, member.id)) {
    changedIds.push(id);
    await note("key.revoked", id, { name });
  }
}

/** Returns the team's id if it has more members than seats, because seats move then. */
async function othersWithSeats(
  tx: MemberChange["tx"],
  { id, seats }: MemberChange["team"],
): Promise<string[]> {
  return seats !== null && (await countMembers(tx, id)) >= seats ? [id] : [];
}

/** Returns the member's login, or the id without one. */
export function nameOf({ id, login }: Member): string {
  return login ?? id;
}
