import { LockMode, raw } from "@mikro-orm/core";
import type { EntityManager } from "../../mixins/database.ts";
import type { Noted } from "../../shared/contracts/events.ts";
import type { Role } from "../../shared/contracts/runs/runs.ts";
import type { Actor } from "../../shared/contracts/teams/caller.ts";
import type { ListActivityQuery, TeamSettings } from "../../shared/contracts/teams/people.ts";
import type { LinkSettings } from "../../shared/links/link-rules.ts";
import { type Activity, ActivityEntity } from "./activity.entity.ts";
import { SEAT } from "./members/seats.store.ts";
import { type Team, TeamEntity } from "./team.entity.ts";

const NOW = raw("now()");

/** Locks a team against changes of itself, its members, or its keys. Returns null if it does not exist. */
export function lockTeam(tx: EntityManager, id: string): Promise<Team | null> {
  return tx.findOne(TeamEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

export async function insertTeam(em: EntityManager, team: Team): Promise<void> {
  await em.insert(TeamEntity, team);
}

/** Counts the existing teams that a user created, under a lock against creating another. */
export async function countMadeBy(tx: EntityManager, userId: string): Promise<number> {
  await tx.execute(`select from teams."user" where id = ? for update`, [userId]);
  return tx.count(TeamEntity, { madeBy: userId });
}

/** A team with an actor's role in it. */
export interface TeamWithRole extends Team {
  role: Role;
  /** Whether the role is only viewer because the plan has no seat. */
  hasNoSeat: boolean;
}

const COLUMNS = `t.id, t.name, t.created_at as "createdAt", t.deleted_at as "deletedAt", t.seats, t.made_by as "madeBy",
  t.required_approvals as "requiredApprovals", t.allow_self_approval as "allowSelfApproval",
  t.link_days as "linkDays", t.public_links as "publicLinks"`;
/** The role of a membership or a key. Requires a join with SEAT. */
const roleOf = (of: "m" | "k") =>
  `case when seat.missing then 'viewer' else ${of}.role end as role,
   seat.missing and ${of}.role <> 'viewer' as "hasNoSeat"`;

/** Finds a user's teams, the earliest joined first. */
function findTeamsOfUser(em: EntityManager, userId: string): Promise<TeamWithRole[]> {
  return em.execute(
    `select ${COLUMNS}, ${roleOf("m")}
     from teams.membership m join teams.team t on t.id = m.team_id ${SEAT}
     where m.user_id = ? order by m.joined_at, t.id`,
    [userId],
  );
}

/** Finds the team of a key that is not revoked or expired. A user's key can do no more than the user. */
export function findTeamOfKey(em: EntityManager, keyId: string): Promise<TeamWithRole[]> {
  return em.execute(
    `select ${COLUMNS}, ${roleOf("k")}
     from teams.api_key k join teams.team t on t.id = k.team_id
     left join teams.membership m on m.team_id = k.team_id and m.user_id = k.made_by ${SEAT}
     where k.id = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [keyId],
  );
}

export function findTeamsOf(em: EntityManager, actor: Actor): Promise<TeamWithRole[]> {
  if (actor.kind === "service") return Promise.resolve([]);
  return actor.kind === "key" ? findTeamOfKey(em, actor.id) : findTeamsOfUser(em, actor.id);
}

/** Returns whether a team exists and is not deleted. */
export async function isOpen(em: EntityManager, id: string): Promise<boolean> {
  return (await em.count(TeamEntity, { id, deletedAt: null })) === 1;
}

/** Counts the teams that are not deleted. */
export function countTeams(em: EntityManager): Promise<number> {
  return em.count(TeamEntity, { deletedAt: null });
}

/** Counts admins among the members, and admin keys without a user that never expire. */
export async function countAdmins(tx: EntityManager, teamId: string): Promise<number> {
  const rows: { count: number }[] = await tx.execute(
    `select ((select count(*) from teams.membership where team_id = ? and role = 'admin')
       + (select count(*) from teams.api_key
          where team_id = ? and role = 'admin' and revoked_at is null and expires_at is null and made_by is null))::int as count`,
    [teamId, teamId],
  );
  return rows[0]?.count ?? 0;
}

/** Finds a team's review settings, or null if it does not exist. */
export async function findSettings(em: EntityManager, id: string): Promise<TeamSettings | null> {
  const rows: TeamSettings[] = await em.execute(
    `select required_approvals as "requiredApprovals", allow_self_approval as "allowSelfApproval"
     from teams.team where id = ?`,
    [id],
  );
  return rows[0] ?? null;
}

/** Finds a team's link settings, or null if it is deleted. */
export async function findLinkSettings(em: EntityManager, id: string): Promise<LinkSettings | null> {
  const rows: LinkSettings[] = await em.execute(
    `select link_days as "linkDays", public_links as "publicLinks"
     from teams.team where id = ? and deleted_at is null`,
    [id],
  );
  return rows[0] ?? null;
}

/** Finds which of these teams exist, including deleted ones that can be restored. */
export async function findExisting(em: EntityManager, ids: string[]): Promise<string[]> {
  const rows = await em.find(TeamEntity, { id: { $in: ids } }, { fields: ["id"] });
  return rows.map(row => row.id);
}

/** Deletes teams that were deleted some days ago, with their members, keys, and activity. @returns their ids */
export async function deleteExpiredTeams(em: EntityManager, days: number): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    "delete from teams.team where deleted_at < now() - make_interval(days => ?) returning id",
    [days],
  );
  return rows.map(row => row.id);
}

/** Inserts an activity entry, once for any number of repeats. Does nothing for a team that no longer exists. */
export async function insertActivity(em: EntityManager, noted: Noted): Promise<void> {
  const { id, teamId, type, actor, target, details } = noted;
  await em.execute(
    `insert into teams.activity (id, team_id, type, actor_kind, actor_id, actor_name, target, details)
     select ?, t.id, ?, ?, ?, ?, ?, ?::jsonb from teams.team t where t.id = ? on conflict do nothing`,
    [id, type, actor.kind, actor.id, actor.name, target, JSON.stringify(details), teamId],
  );
}

/** Counts the failed sign-ins in a team's activity within the last hour. */
export async function countRefusals(em: EntityManager, teamId: string): Promise<number> {
  const rows: { count: number }[] = await em.execute(
    `select count(*)::int as count from teams.activity
     where team_id = ? and type = 'session.refused' and at > now() - interval '1 hour'`,
    [teamId],
  );
  return rows[0]?.count ?? 0;
}

/** Finds a team's activity, newest first, and one more than the limit if there is more. */
export function findActivity(
  em: EntityManager,
  teamId: string,
  { limit, type, actor, from, to }: ListActivityQuery,
  before?: string,
): Promise<Activity[]> {
  const where = {
    teamId,
    ...(type !== undefined && { type }),
    ...(actor !== undefined && { actorId: actor }),
    ...(before !== undefined && { id: { $lt: before } }),
    ...((from !== undefined || to !== undefined) && {
      at: {
        ...(from !== undefined && { $gte: new Date(from) }),
        ...(to !== undefined && { $lt: new Date(to) }),
      },
    }),
  };
  return em.find(ActivityEntity, where, { orderBy: { id: "desc" }, limit: limit + 1 });
}

/** Marks a team as deleted, if it is not. */
export async function markDeleted(tx: EntityManager, id: string): Promise<void> {
  await tx.nativeUpdate(TeamEntity, { id, deletedAt: null }, { deletedAt: NOW });
}
