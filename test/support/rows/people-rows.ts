import type { EntityManager } from "../../../mixins/database.ts";

export async function expireInvitations(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("update teams.invitation set expires_at = now() where team_id = ?", [teamId]);
}

/** Makes all invitations look as if their email was sent. */
export async function markInvitationsMailed(em: EntityManager): Promise<void> {
  await em.execute("update teams.invitation set mailed_at = now()");
}

/** Moves the emails of invitations further back. */
export async function ageInvitationMails(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update teams.invitation_mail set at = at - ?::interval", [interval]);
}

export async function countInvitationMails(em: EntityManager): Promise<number> {
  const rows: object[] = await em.execute("select from teams.invitation_mail");
  return rows.length;
}

/** Moves the deletion of a team further back than it can be restored. */
export async function expireDeletedTeam(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("update teams.team set deleted_at = now() - interval '8 days' where id = ?", [teamId]);
}

/** Deletes a team for good. */
export async function deleteTeamRow(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from teams.team where id = ?", [teamId]);
}

export async function countTeamRows(
  em: EntityManager,
  table: "api_key" | "membership" | "invitation" | "activity",
  teamId: string,
): Promise<number> {
  const rows: object[] = await em.execute(`select from teams.${table} where team_id = ?`, [teamId]);
  return rows.length;
}

/** Makes a key one of the operator's, which belongs to no user. */
export async function removeKeyUser(em: EntityManager, keyId: string): Promise<void> {
  await em.execute("update teams.api_key set made_by = null where id = ?", [keyId]);
}

export async function revokeKeyRow(em: EntityManager, keyId: string): Promise<void> {
  await em.execute("update teams.api_key set revoked_at = now() where id = ?", [keyId]);
}

/** Sets one time of a session to some time ago. */
export async function ageSession(
  em: EntityManager,
  id: string,
  column: "created_at" | "used_at" | "renewed_at",
  interval: string,
): Promise<void> {
  await em.execute(`update teams.session set ${column} = now() - ?::interval where id = ?`, [interval, id]);
}

/** Moves the replacement of a session's token, and the end of the previous one, further back. */
export async function ageReplacement(em: EntityManager, id: string, interval: string): Promise<void> {
  await em.execute(
    `update teams.session set renewed_at = renewed_at - ?::interval, previous_until = previous_until - ?::interval
     where id = ?`,
    [interval, interval, id],
  );
}

export async function hasSession(em: EntityManager, id: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from teams.session where id = ?", [id]);
  return rows.length > 0;
}

export async function removeEmail(em: EntityManager, userId: string): Promise<void> {
  await em.execute('update teams."user" set email = null where id = ?', [userId]);
}

/** Adds a user who signed in, as a member of a team. */
export async function addMemberRow(
  em: EntityManager,
  teamId: string,
  { id, login, email, role }: { id: string; login: string; email: string | null; role: string },
): Promise<void> {
  await em.execute(
    `insert into teams."user" (id, host_id, login, email) values (?, ?, ?, ?) on conflict (id) do nothing`,
    [id, id, login, email],
  );
  await em.execute(
    "insert into teams.membership (team_id, user_id, role) values (?, ?, ?) on conflict do nothing",
    [teamId, id, role],
  );
}

/** Lets a key expire a second ago. */
export async function expireKeyRow(em: EntityManager, keyId: string): Promise<void> {
  await em.execute("update teams.api_key set expires_at = now() - interval '1 second' where id = ?", [keyId]);
}

/** Adds an identity provider whose secret can't be read. */
export async function addProviderRow(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    `insert into teams.provider (team_id, name, issuer, client_id, client_secret, scopes, groups_claim)
     values (?, 'Acme ID', 'https://id.example', 'vrs', '{}', 'openid', 'groups')`,
    [teamId],
  );
}
