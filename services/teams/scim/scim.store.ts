import type { EntityManager } from "../../../mixins/database.ts";
import type { Comparison } from "./scim-filter.rule.ts";
import type { ScimGroupData } from "./scim-group.rule.ts";
import type { ScimUserData } from "./scim-user.rule.ts";

/** A provisioned user of a team. */
export interface StoredUser {
  id: string;
  teamId: string;
  /** The user of the service, from the first sign-in. */
  userId: string | null;
  userName: string;
  externalId: string | null;
  active: boolean;
  attributes: Pick<ScimUserData, "displayName" | "name" | "emails">;
  createdAt: Date;
  changedAt: Date;
}

/** A provisioned group of a team. */
export interface StoredGroup {
  id: string;
  displayName: string;
  externalId: string | null;
  createdAt: Date;
  changedAt: Date;
}

const USER = `s.id, s.team_id as "teamId", s.user_id as "userId", s.user_name as "userName", s.external_id as "externalId",
  s.active, s.attributes, s.created_at as "createdAt", s.changed_at as "changedAt"`;
const GROUP = `g.id, g.display_name as "displayName", g.external_id as "externalId", g.created_at as "createdAt",
  g.changed_at as "changedAt"`;

/** The columns of comparable attributes, as SQL with one parameter. */
const USER_FILTERS: Record<string, string> = {
  id: "s.id = ?",
  username: "lower(s.user_name) = lower(?)",
  externalid: "s.external_id = ?",
  emails: "lower(s.email) = lower(?)",
  "emails.value": "lower(s.email) = lower(?)",
  displayname: "lower(s.attributes ->> 'displayName') = lower(?)",
  active: "s.active = ?",
};
const GROUP_FILTERS: Record<string, string> = {
  id: "g.id = ?",
  displayname: "lower(g.display_name) = lower(?)",
  externalid: "g.external_id = ?",
};

/** A page of a filtered list. */
export interface ScimPage {
  filters: readonly Comparison[];
  /** From 1. */
  startIndex: number;
  count: number;
}

/** Returns the first attribute that can't be compared with its value, or null. */
export function unknownAttribute(kind: "User" | "Group", filters: readonly Comparison[]): string | null {
  const known = kind === "User" ? USER_FILTERS : GROUP_FILTERS;
  const bad = filters.find(
    ({ attribute, value }) =>
      !Object.hasOwn(known, attribute) || (attribute === "active") !== (typeof value === "boolean"),
  );
  return bad?.attribute ?? null;
}

function whereOf(known: Record<string, string>, filters: readonly Comparison[]): string {
  return filters.map(({ attribute }) => ` and ${known[attribute]}`).join("");
}

/** Finds a page of a team's provisioned users, oldest first, and their number. */
export async function findUsers(
  em: EntityManager,
  teamId: string,
  { filters, startIndex, count }: ScimPage,
): Promise<{ rows: StoredUser[]; total: number }> {
  const where = `where s.team_id = ?${whereOf(USER_FILTERS, filters)}`;
  const values = [teamId, ...filters.map(({ value }) => value)];
  const totals: { total: number }[] = await em.execute(
    `select count(*)::int as total from teams.scim_user s ${where}`,
    values,
  );
  const rows: StoredUser[] = await em.execute(
    `select ${USER} from teams.scim_user s ${where} order by s.id limit ? offset ?`,
    [...values, count, startIndex - 1],
  );
  return { rows, total: totals[0]?.total ?? 0 };
}

export async function findScimUser(
  em: EntityManager,
  teamId: string,
  id: string,
): Promise<StoredUser | null> {
  const rows: StoredUser[] = await em.execute(
    `select ${USER} from teams.scim_user s where s.team_id = ? and s.id = ?`,
    [teamId, id],
  );
  return rows[0] ?? null;
}

/** Returns whether another user of the team has this user name. */
export async function isUserNameTaken(
  tx: EntityManager,
  teamId: string,
  { id, userName }: { id: string; userName: string },
): Promise<boolean> {
  const rows: object[] = await tx.execute(
    "select id from teams.scim_user where team_id = ? and lower(user_name) = lower(?) and id <> ?",
    [teamId, userName, id],
  );
  return rows.length > 0;
}

/** Inserts a provisioned user, or changes it. */
export async function putScimUser(
  tx: EntityManager,
  { id, teamId }: { id: string; teamId: string },
  { userName, externalId, active, displayName, name, emails }: ScimUserData,
  email: string | null,
): Promise<void> {
  await tx.execute(
    `insert into teams.scim_user (id, team_id, user_name, external_id, email, attributes, active)
     values (?, ?, ?, ?, ?, ?::jsonb, ?)
     on conflict (id) do update
       set user_name = excluded.user_name, external_id = excluded.external_id, email = excluded.email,
         attributes = excluded.attributes, active = excluded.active, changed_at = now()`,
    [id, teamId, userName, externalId, email, JSON.stringify({ displayName, name, emails }), active],
  );
}

/** Links a provisioned user with a user of the service, unless it is linked. */
export async function linkScimUser(tx: EntityManager, id: string, userId: string): Promise<void> {
  await tx.execute("update teams.scim_user set user_id = ? where id = ? and user_id is null", [userId, id]);
}

export async function deleteScimUser(tx: EntityManager, id: string): Promise<void> {
  await tx.execute("delete from teams.scim_user where id = ?", [id]);
}

/** Whose account is meant: the user, the ids that SCIM may know, and the verified address. */
export interface ProvisionedAccount {
  userId: string;
  externalIds: readonly string[];
  email: string | null;
}

/** Finds what a team provisioned for an account: what is linked with it, or not linked yet and matches. */
export async function findProvisioned(
  tx: EntityManager,
  teamId: string,
  { userId, externalIds, email }: ProvisionedAccount,
): Promise<StoredUser | null> {
  const rows: StoredUser[] = await tx.execute(
    `select ${USER} from teams.scim_user s
     where s.team_id = ? and (s.user_id = ? or (s.user_id is null and (
       s.external_id in (select jsonb_array_elements_text(?::jsonb))
       or lower(s.email) = lower(?) or lower(s.user_name) = lower(?))))
     order by s.user_id is null, s.external_id is null, s.id limit 1`,
    [teamId, userId, JSON.stringify(externalIds), email, email],
  );
  return rows[0] ?? null;
}

/** Finds the member of a team whose account at this provider is the one that SCIM provisions. */
export async function findMatchingMember(
  tx: EntityManager,
  teamId: string,
  { provider, subject, email }: { provider: string; subject: string | null; email: string | null },
): Promise<string | null> {
  const rows: { id: string }[] = await tx.execute(
    `select u.id from teams.membership m join teams."user" u on u.id = m.user_id
     where m.team_id = ? and u.provider = ? and (u.subject = ? or lower(u.email) = lower(?))
       and not exists (select from teams.scim_user s where s.team_id = m.team_id and s.user_id = u.id)
     order by u.subject is distinct from ?, u.id limit 1`,
    [teamId, provider, subject, email, subject],
  );
  return rows[0]?.id ?? null;
}

/** Finds a page of a team's provisioned groups, oldest first, and their number. */
export async function findGroups(
  em: EntityManager,
  teamId: string,
  { filters, startIndex, count }: ScimPage,
): Promise<{ rows: StoredGroup[]; total: number }> {
  const where = `where g.team_id = ?${whereOf(GROUP_FILTERS, filters)}`;
  const values = [teamId, ...filters.map(({ value }) => value)];
  const totals: { total: number }[] = await em.execute(
    `select count(*)::int as total from teams.scim_group g ${where}`,
    values,
  );
  const rows: StoredGroup[] = await em.execute(
    `select ${GROUP} from teams.scim_group g ${where} order by g.id limit ? offset ?`,
    [...values, count, startIndex - 1],
  );
  return { rows, total: totals[0]?.total ?? 0 };
}

export async function findGroup(em: EntityManager, teamId: string, id: string): Promise<StoredGroup | null> {
  const rows: StoredGroup[] = await em.execute(
    `select ${GROUP} from teams.scim_group g where g.team_id = ? and g.id = ?`,
    [teamId, id],
  );
  return rows[0] ?? null;
}

/** Returns whether another group of the team has this name. */
export async function isGroupNameTaken(
  tx: EntityManager,
  teamId: string,
  { id, displayName }: { id: string; displayName: string },
): Promise<boolean> {
  const rows: object[] = await tx.execute(
    "select id from teams.scim_group where team_id = ? and lower(display_name) = lower(?) and id <> ?",
    [teamId, displayName, id],
  );
  return rows.length > 0;
}

/** Inserts a group, or changes it, with its members. Users of other teams are left out. */
export async function putGroup(
  tx: EntityManager,
  { id, teamId }: { id: string; teamId: string },
  { displayName, externalId, members }: ScimGroupData,
): Promise<void> {
  await tx.execute(
    `insert into teams.scim_group (id, team_id, display_name, external_id) values (?, ?, ?, ?)
     on conflict (id) do update
       set display_name = excluded.display_name, external_id = excluded.external_id, changed_at = now()`,
    [id, teamId, displayName, externalId],
  );
  const listed = "select jsonb_array_elements_text(?::jsonb)";
  await tx.execute(
    `delete from teams.scim_group_member where group_id = ? and scim_user_id not in (${listed})`,
    [id, JSON.stringify(members)],
  );
  await tx.execute(
    `insert into teams.scim_group_member (group_id, scim_user_id)
     select ?, s.id from teams.scim_user s where s.team_id = ? and s.id in (${listed}) on conflict do nothing`,
    [id, teamId, JSON.stringify(members)],
  );
}

export async function deleteGroup(tx: EntityManager, id: string): Promise<void> {
  await tx.execute("delete from teams.scim_group where id = ?", [id]);
}

export function findGroupMembers(
  em: EntityManager,
  groupId: string,
): Promise<{ id: string; userName: string }[]> {
  return em.execute(
    `select s.id, s.user_name as "userName" from teams.scim_group_member m
     join teams.scim_user s on s.id = m.scim_user_id where m.group_id = ? order by s.id`,
    [groupId],
  );
}

/** Finds the groups of users, by the users' ids. */
export async function findGroupsOfUsers(
  em: EntityManager,
  ids: readonly string[],
): Promise<Map<string, { id: string; displayName: string }[]>> {
  const rows: { userId: string; id: string; displayName: string }[] = await em.execute(
    `select m.scim_user_id as "userId", g.id, g.display_name as "displayName"
     from teams.scim_group_member m join teams.scim_group g on g.id = m.group_id
     where m.scim_user_id in (select jsonb_array_elements_text(?::jsonb)) order by g.id`,
    [JSON.stringify(ids)],
  );
  return Map.groupBy(rows, ({ userId }) => userId);
}

/** Returns whether the team's provider provisions groups, which then decide the roles. */
export async function hasGroups(em: EntityManager, teamId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select id from teams.scim_group where team_id = ? limit 1", [
    teamId,
  ]);
  return rows.length > 0;
}
