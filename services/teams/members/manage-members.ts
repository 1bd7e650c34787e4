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
import { findClosedTeams } from "../sign-in/policy.store.ts";
import { isOpen } from "../team.store.ts";
import { TEAM_ERRORS } from "../texts.ts";
import { removeFromTeam, requireSeats, setRole } from "./change-member.ts";
import { invite } from "./invitations.ts";
import {
  countPlaces,
  deleteInvitationOf,
  findMember,
  findMemberByAccount,
  findMemberByLogin,
  findMembers,
  findUserByLogin,
  type Member,
  SCIM,
} from "./member.store.ts";

/** A result, and the ids whose access changed. */
export interface Managed<T> {
  result: T;
  /** The keys, users, and teams whose access changed. */
  changedIds: string[];
}

/**
 * Returns the role of the user with this account at the code host, or null for non-members.
 * `isClosed`: the team only allows sign-in with its identity provider
 */
export async function memberByAccount(
  em: EntityManager,
  teamId: string,
  hostId: string,
): Promise<{ actor: Actor; role: Role; isClosed?: true } | null> {
  const member = await findMemberByAccount(em, teamId, hostId);
  if (!member) return null;
  // A member without a seat can only read.
  const role = member.noneOfSeats === null ? member.role : "viewer";
  const actor: Actor = { kind: "user", id: member.id, name: member.login ?? member.id };
  const closed = await findClosedTeams(em, [teamId], { provider: null, isEmergency: false });
  return closed.length > 0 ? { actor, role, isClosed: true } : { actor, role };
}

/**
 * Returns a member of a team that is not deleted, with the current role. Null for others.
 * `isClosed`: the team only allows sign-in with another provider than the one of the member's session
 */
export async function memberById(
  em: EntityManager,
  { teamId, userId, provider }: { teamId: string; userId: string; provider: string | null },
): Promise<{ actor: Actor; role: Role; isClosed?: true } | null> {
  const member = (await isOpen(em, teamId)) ? await findMember(em, teamId, userId) : null;
  if (!member) return null;
  const role = member.noneOfSeats === null ? member.role : "viewer";
  const actor: Actor = { kind: "user", id: member.id, name: member.login ?? member.id };
  const closed = await findClosedTeams(em, [teamId], { provider, isEmergency: false });
  return closed.length > 0 ? { actor, role, isClosed: true } : { actor, role };
}

/** Lists a team's members by id. */
export async function listMembers(em: EntityManager, caller: Caller, page: ListQuery): Promise<MemberList> {
  const after = decodeCursor("members", page.cursor);
  const members = await findMembers(em, caller.teamId, { limit: page.limit, ...(after && { after }) });
  return pageOf("members", members, page.limit, viewOf);
}

/**
 * Adds members, changes roles, and removes members in one transaction. Unknown users are invited.
 * @param seatLimit the seats of the team's plan, including invitations; null for no limit
 * @throws ServiceError forbidden, except for members who only leave; not_found for a login that is not in the team;
 * conflict; plan_limit_exceeded
 */
export async function manageMembers(
  em: EntityManager,
  caller: Caller,
  { add = [], remove = [] }: ManageTeam,
  seatLimit: number | null = null,
): Promise<Managed<ManagedTeam>> {
  const changedIds: string[] = [];
  const result = await inTeam(em, caller, "viewer", async change => {
    const done: ManagedTeam = { teamId: caller.teamId, changed: [], invited: [], removed: [] };
    if (add.length > 0) requireRole(change.role, "admin", change.why);
    const usedBefore = await countPlaces(change.tx, caller.teamId);
    for (const { login, email, role } of add) {
      const user = login === undefined ? null : await findUserNamed(change, login);
      if (user) done.changed.push(viewOf(await setRole(change, user.id, role, changedIds)));
      else done.invited.push(await invite(change, { login, email, role }, caller.actor.name));
    }
    for (const login of remove) {
      await removeLogin(change, login, caller, changedIds);
      done.removed.push(login);
    }
    const usedAfter = await countPlaces(change.tx, caller.teamId);
    if (usedAfter > usedBefore) requireSeats(seatLimit, usedBefore, usedAfter);
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
    await removeFromTeam(change, member, caller.actor.id, changedIds);
  });
  return { result: null, changedIds };
}

/**
 * Finds a member by id, a user of the code host by login, or else a member by login. Some providers let users choose
 * their names, so a user of the code host comes first. Other users join by their provider.
 */
async function findUserNamed({ tx, team }: Change, login: string): Promise<{ id: string } | null> {
  const named = (await findMember(tx, team.id, login)) ?? (await findUserByLogin(tx, login));
  return named ?? findMemberByLogin(tx, team.id, login);
}

/** Removes a member, or an invitation by login. */
async function removeLogin(
  change: Change,
  login: string,
  caller: Caller,
  changedIds: string[],
): Promise<void> {
  const { tx, team, note } = change;
  const member = await findMemberByLogin(tx, team.id, login);
  if (member?.id !== caller.actor.id) requireRole(change.role, "admin", change.why);
  if (member) return removeFromTeam(change, member, caller.actor.id, changedIds);
  if (!(await deleteInvitationOf(tx, team.id, login))) throw notFound("member", login);
  await note("invitation.revoked", login);
}

function viewOf({ id, login, name, role, joinedAt, managedBy: manager, noneOfSeats }: Member): MemberView {
  const managedBy = manager === null || manager === SCIM ? manager : "provider";
  const readOnlyBecause = noneOfSeats === null ? null : TEAM_ERRORS.noSeat(noneOfSeats);
  return { id, login, name, role, managedBy, readOnlyBecause, joinedAt: joinedAt.toISOString() };
}
