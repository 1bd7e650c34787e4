import { raw } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import { ROLES, type Role } from "../../../shared/contracts/runs/runs.ts";
import { type Invitation, InvitationEntity } from "./invitation.entity.ts";
import { SEAT } from "./seats.store.ts";
import { MembershipEntity, type User, UserEntity } from "./user.entity.ts";

/** An invitation expires after this time. */
const INVITATION_DAYS = 14;

/** What manages a membership that SCIM made. Others are managed by the provider with this id, or by admins. */
export const SCIM = "scim";

export interface Member {
  id: string;
  login: string | null;
  name: string | null;
  role: Role;
  joinedAt: Date;
  /** The provider that manages the membership, or `scim`. Null for members whom admins manage. */
  managedBy: string | null;
  /** The number of seats if this member has none. Null for members with a seat, and for viewers, who need none. */
  noneOfSeats: number | null;
}

const MEMBER = `u.id, u.login, u.name, m.role, m.joined_at as "joinedAt", m.managed_by as "managedBy",
  case when seat.missing and m.role <> 'viewer' then t.seats end as "noneOfSeats"`;
const MEMBERSHIP = `teams.membership m join teams."user" u on u.id = m.user_id
  join teams.team t on t.id = m.team_id ${SEAT}`;

/** Finds a team's members by id, and one more than the limit if there are more. */
export function findMembers(
  em: EntityManager,
  teamId: string,
  { limit, after = "" }: { limit: number; after?: string },
): Promise<Member[]> {
  return em.execute(
    `select ${MEMBER} from ${MEMBERSHIP}
     where m.team_id = ? and u.id > ? order by u.id limit ?`,
    [teamId, after, limit + 1],
  );
}

export async function findMember(em: EntityManager, teamId: string, userId: string): Promise<Member | null> {
  const rows: Member[] = await em.execute(
    `select ${MEMBER} from ${MEMBERSHIP}
     where m.team_id = ? and u.id = ?`,
    [teamId, userId],
  );
  return rows[0] ?? null;
}

/** Finds a member by id, or else by login. The code host's accounts come first. */
export async function findMemberByLogin(
  em: EntityManager,
  teamId: string,
  login: string,
): Promise<Member | null> {
  const rows: Member[] = await em.execute(
    `select ${MEMBER} from ${MEMBERSHIP}
     where m.team_id = ? and (u.id = ? or lower(u.login) = lower(?))
     order by u.id <> ?, u.provider is not null, u.id limit 1`,
    [teamId, login, login, login],
  );
  return rows[0] ?? null;
}

/** Finds a member of a team that is not deleted, by the account's number at the code host. */
export async function findMemberByAccount(
  em: EntityManager,
  teamId: string,
  hostId: string,
): Promise<Member | null> {
  const rows: Member[] = await em.execute(
    `select ${MEMBER} from ${MEMBERSHIP}
     where m.team_id = ? and u.host_id = ? and t.deleted_at is null`,
    [teamId, hostId],
  );
  return rows[0] ?? null;
}

export function countMembers(em: EntityManager, teamId: string): Promise<number> {
  return em.count(MembershipEntity, { teamId });
}

/** Counts members, valid invitations, and provisioned users who never signed in. */
export async function countPlaces(em: EntityManager, teamId: string): Promise<number> {
  const rows: { count: number }[] = await em.execute(
    `select ((select count(*) from teams.membership where team_id = ?)
       + (select count(*) from teams.invitation where team_id = ? and expires_at > now())
       + (select count(*) from teams.scim_user where team_id = ? and active and user_id is null))::int as count`,
    [teamId, teamId, teamId],
  );
  return rows[0]?.count ?? 0;
}

/** Finds the logins of members who can approve, except one user. */
export async function findReviewers(
  em: EntityManager,
  teamId: string,
  except: string,
  limit: number,
): Promise<string[]> {
  const rows: { login: string }[] = await em.execute(
    `select u.login from teams.membership m join teams."user" u on u.id = m.user_id
     where m.team_id = ? and m.role in ('reviewer', 'admin') and u.id <> ? and u.login is not null
     order by u.login limit ?`,
    [teamId, except, limit],
  );
  return rows.map(row => row.login);
}

/**
 * Adds a user to a team, or changes the role.
 * @param managedBy what manages the membership from now on. Undefined: as before, for new members nothing
 */
export async function putMember(
  tx: EntityManager,
  teamId: string,
  userId: string,
  role: Role,
  managedBy?: string,
): Promise<void> {
  await tx.execute(
    `insert into teams.membership as m (team_id, user_id, role, managed_by) values (?, ?, ?, ?)
     on conflict (team_id, user_id) do update
       set role = excluded.role, managed_by = coalesce(excluded.managed_by, m.managed_by)`,
    [teamId, userId, role, managedBy ?? null],
  );
}

export async function deleteMember(tx: EntityManager, teamId: string, userId: string): Promise<void> {
  await tx.nativeDelete(MembershipEntity, { teamId, userId });
}

/** Limits the roles of a user's keys to the user's role. @returns the keys that changed */
export function lowerKeys(
  tx: EntityManager,
  teamId: string,
  userId: string,
  role: Role,
): Promise<{ id: string; name: string }[]> {
  const higher = ROLES.slice(ROLES.indexOf(role) + 1);
  if (higher.length === 0) return Promise.resolve([]);
  return tx.execute(
    `update teams.api_key set role = ?
     where team_id = ? and made_by = ? and revoked_at is null and role in (?) returning id, name`,
    [role, teamId, userId, higher],
  );
}

/** Revokes a user's keys of a team. @returns the keys that were valid before */
export function revokeKeysOf(
  tx: EntityManager,
  teamId: string,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  return tx.execute(
    `update teams.api_key set revoked_at = now()
     where team_id = ? and made_by = ? and revoked_at is null returning id, name`,
    [teamId, userId],
  );
}

export type NewInvitation = Pick<Invitation, "id" | "teamId" | "login" | "email" | "role" | "invitedBy">;

/** Inserts an invitation, and replaces an earlier one for the same login or address. */
export async function putInvitation(tx: EntityManager, invitation: NewInvitation): Promise<Invitation> {
  const { id, teamId, login, email, role, invitedBy } = invitation;
  await tx.execute(
    "delete from teams.invitation where team_id = ? and (lower(login) = lower(?) or lower(email) = lower(?))",
    [teamId, login, email],
  );
  await tx.execute(
    `insert into teams.invitation (id, team_id, login, email, role, invited_by, expires_at)
     values (?, ?, ?, ?, ?, ?, now() + interval '${INVITATION_DAYS} days')`,
    [id, teamId, login, email, role, invitedBy],
  );
  return tx.findOneOrFail(InvitationEntity, { id });
}

/** Finds valid invitations, newest first, and one more than the limit if there are more. */
export function findInvitations(
  em: EntityManager,
  teamId: string,
  { limit, before }: { limit: number; before?: string },
): Promise<Invitation[]> {
  const id = before === undefined ? {} : { id: { $lt: before } };
  return em.find(
    InvitationEntity,
    { teamId, expiresAt: { $gt: raw("now()") }, ...id },
    { orderBy: { id: "desc" }, limit: limit + 1 },
  );
}

/** Deletes an invitation. @returns the invitation, or null if there is none */
export async function deleteInvitation(
  tx: EntityManager,
  teamId: string,
  id: string,
): Promise<Invitation | null> {
  const invitation = await tx.findOne(InvitationEntity, { teamId, id });
  if (invitation) await tx.nativeDelete(InvitationEntity, { id });
  return invitation;
}

/** Deletes the invitation of a login. @returns whether there was one */
export async function deleteInvitationOf(tx: EntityManager, teamId: string, login: string): Promise<boolean> {
  const rows: object[] = await tx.execute(
    "delete from teams.invitation where team_id = ? and lower(login) = lower(?) returning id",
    [teamId, login],
  );
  return rows.length > 0;
}

/** Finds a user of the code host. */
export async function findUserByLogin(em: EntityManager, login: string): Promise<User | null> {
  const rows: { id: string }[] = await em.execute(
    'select id from teams."user" where provider is null and lower(login) = lower(?)',
    [login],
  );
  const [found] = rows;
  return found ? em.findOne(UserEntity, { id: found.id }) : null;
}

export function findUser(em: EntityManager, id: string): Promise<User | null> {
  return em.findOne(UserEntity, { id });
}

/** Returns a team's name and the known email addresses of its admins, or none for a deleted team. */
export async function findAdminAddresses(
  em: EntityManager,
  teamId: string,
): Promise<{ name: string; addresses: string[] }> {
  const rows: { name: string; email: string | null }[] = await em.execute(
    `select t.name, u.email from teams.team t
     left join teams.membership m on m.team_id = t.id and m.role = 'admin'
     left join teams."user" u on u.id = m.user_id
     where t.id = ? and t.deleted_at is null order by m.joined_at`,
    [teamId],
  );
  const addresses = rows.flatMap(({ email }) => (email === null ? [] : [email]));
  return { name: rows[0]?.name ?? "", addresses };
}
