import type { EntityManager } from "../../../mixins/database.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Actor, Caller } from "../../../shared/contracts/teams/caller.ts";
import type {
  ManagedTeam,
  ManageTeam,
  MemberList,
  MemberView,
} from "../../../shared/contracts/teams/people.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { type Change, inTeam, requireRole } from "../in-team.ts";
import { TEAM_ERRORS } from "../texts.ts";
import { invite } from "./invitations.ts";
import {
  countMembers,
  countPlaces,
  findMember,
  findMemberByAccount,
  findMemberByLogin,
  findMembers,
  findUserByLogin,
  lowerKeys,
  type Member,
  putMember,
  removeInvitationOf,
  removeMember,
  revokeKeysOf,
} from "./member.store.ts";

/** What was changed, and who has to be told that it was. */
export interface Managed<T> {
  result: T;
  /** Keys and people who may do something else now. */
  changedIds: string[];
}

/** What the person with this account at the code host may do in a team; null for who is not in it. */
export async function memberByAccount(
  em: EntityManager,
  teamId: string,
  hostId: string,
): Promise<{ actor: Actor; role: Role } | null> {
  const member = await findMemberByAccount(em, teamId, hostId);
  if (!member) return null;
  // Whoever the plan has no seat for may only read.
  const role = member.noneOfSeats === null ? member.role : "viewer";
  return { actor: { kind: "user", id: member.id, name: member.login ?? member.id }, role };
}

/** A team's members, by their ids. */
export async function listMembers(em: EntityManager, caller: Caller, page: ListQuery): Promise<MemberList> {
  const after = decodeCursor("members", page.cursor);
  const members = await findMembers(em, caller.teamId, { limit: page.limit, ...(after && { after }) });
  return pageOf("members", members, page.limit, viewOf);
}

/**
 * Adds members or changes their roles, then removes some: all or nothing. Whoever is not known yet is invited.
 * @param places how many the team's plan has for members, invited ones too; null for any number
 * @throws ServiceError forbidden but for who only leaves; not_found for a login that is not in the team; conflict;
 *   plan_limit_exceeded
 */
export async function manageMembers(
  em: EntityManager,
  caller: Caller,
  { add = [], remove = [] }: ManageTeam,
  places: number | null = null,
): Promise<Managed<ManagedTeam>> {
  const changedIds: string[] = [];
  const result = await inTeam(em, caller, "viewer", async change => {
    const done: ManagedTeam = { teamId: caller.teamId, changed: [], invited: [], removed: [] };
    if (add.length > 0) requireRole(change.role, "admin", change.why);
    const taken = await countPlaces(change.tx, caller.teamId);
    for (const { login, email, role } of add) {
      const user = login === undefined ? null : await findUserByLogin(change.tx, login);
      if (user) done.changed.push(viewOf(await setRole(change, user.id, role, changedIds)));
      else done.invited.push(await invite(change, { login, email, role }, caller.actor.name));
    }
    for (const login of remove) {
      await removeLogin(change, login, caller, changedIds);
      done.removed.push(login);
    }
    const wanted = await countPlaces(change.tx, caller.teamId);
    if (wanted > taken) requirePlaces(places, taken, wanted);
    return done;
  });
  return { result, changedIds };
}

/** @throws ServiceError conflict for the last admin, and for a key, which is no member */
export async function leaveTeam(em: EntityManager, caller: Caller): Promise<Managed<null>> {
  const changedIds: string[] = [];
  await inTeam(em, caller, "viewer", async change => {
    const member = await findMember(change.tx, caller.teamId, caller.actor.id);
    if (!member) throw new ServiceError("conflict", TEAM_ERRORS.keyCannotLeave);
    await dismiss(change, member, caller, changedIds);
  });
  return { result: null, changedIds };
}

/** @throws ServiceError plan_limit_exceeded */
function requirePlaces(limit: number | null, used: number, wanted: number): void {
  if (limit === null || wanted <= limit) return;
  throw new ServiceError("plan_limit_exceeded", TEAM_ERRORS.seatsFull(limit, used, wanted - used), {
    limit,
    used,
  });
}

async function setRole(
  { tx, team, note }: Change,
  userId: string,
  role: Role,
  changedIds: string[],
): Promise<Member> {
  const before = await findMember(tx, team.id, userId);
  await putMember(tx, team.id, userId, role);
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

/** A member, or somebody who was invited and has not come. */
async function removeLogin(
  change: Change,
  login: string,
  caller: Caller,
  changedIds: string[],
): Promise<void> {
  const { tx, team, note } = change;
  const member = await findMemberByLogin(tx, team.id, login);
  if (member?.id !== caller.actor.id) requireRole(change.role, "admin", change.why);
  if (member) return dismiss(change, member, caller, changedIds);
  if (!(await removeInvitationOf(tx, team.id, login))) throw notFound("member", login);
  await note("invitation.revoked", login);
}

/** Takes a person out of the team, and her keys with her. */
async function dismiss(
  { tx, team, note }: Change,
  member: Member,
  caller: Caller,
  changedIds: string[],
): Promise<void> {
  await removeMember(tx, team.id, member.id);
  changedIds.push(member.id, ...(await othersWithSeats(tx, team)));
  await note(member.id === caller.actor.id ? "member.left" : "member.removed", nameOf(member));
  for (const { id, name } of await revokeKeysOf(tx, team.id, member.id)) {
    changedIds.push(id);
    await note("key.revoked", id, { name });
  }
}

/** In a team with more members than places, one's place may be another's now. */
async function othersWithSeats(tx: Change["tx"], { id, seats }: Change["team"]): Promise<string[]> {
  return seats !== null && (await countMembers(tx, id)) >= seats ? [id] : [];
}

function nameOf({ id, login }: Member): string {
  return login ?? id;
}

function viewOf({ id, login, name, role, joinedAt, noneOfSeats }: Member): MemberView {
  const readOnlyBecause = noneOfSeats === null ? null : TEAM_ERRORS.noSeat(noneOfSeats);
  return { id, login, name, role, readOnlyBecause, joinedAt: joinedAt.toISOString() };
}
