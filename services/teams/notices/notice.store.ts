import type { EntityManager } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import {
  DEFAULT_NOTICES,
  type NoticePerson,
  type NoticePreferences,
  type NoticePreferencesView,
} from "../../../shared/contracts/teams/notices.ts";

/** Larger teams get notices for their first members only. */
const MAX_PEOPLE = 2_000;

const { reviews, mentions, decisions, monitors } = DEFAULT_NOTICES;
const COLUMNS = `coalesce(p.reviews, '${reviews}') as reviews, coalesce(p.mentions, ${mentions}) as mentions,
  coalesce(p.decisions, ${decisions}) as decisions, coalesce(p.monitors, ${monitors}) as monitors, u.email`;

/** Returns the user of an actor: itself, or the user who created a key. Null without one. */
export async function findUserOf(em: EntityManager, actor: Actor): Promise<string | null> {
  if (actor.kind === "user") return actor.id;
  const rows: { id: string | null }[] = await em.execute(
    "select made_by as id from teams.api_key where id = ? and revoked_at is null",
    [actor.id],
  );
  return rows[0]?.id ?? null;
}

/** Finds a user's preferences. Null for an unknown user. */
export async function findPreferences(
  em: EntityManager,
  userId: string,
): Promise<NoticePreferencesView | null> {
  const rows: NoticePreferencesView[] = await em.execute(
    `select ${COLUMNS} from teams."user" u left join teams.notice_preference p on p.user_id = u.id where u.id = ?`,
    [userId],
  );
  return rows[0] ?? null;
}

/** Finds a user's preferences, locked until the transaction ends. */
export async function lockPreferences(
  tx: EntityManager,
  userId: string,
): Promise<NoticePreferencesView | null> {
  await tx.execute(`select from teams."user" where id = ? for update`, [userId]);
  return findPreferences(tx, userId);
}

export async function putPreferences(
  em: EntityManager,
  userId: string,
  { reviews, mentions, decisions, monitors }: NoticePreferences,
): Promise<void> {
  await em.execute(
    `insert into teams.notice_preference (user_id, reviews, mentions, decisions, monitors) values (?, ?, ?, ?, ?)
     on conflict (user_id) do update set reviews = excluded.reviews, mentions = excluded.mentions,
       decisions = excluded.decisions, monitors = excluded.monitors`,
    [userId, reviews, mentions, decisions, monitors],
  );
}

/** Finds the members of a team that is not deleted. */
export function findPeople(em: EntityManager, teamId: string): Promise<NoticePerson[]> {
  return em.execute(
    `select u.id, u.login, m.role, ${COLUMNS}
     from teams.membership m join teams."user" u on u.id = m.user_id
     join teams.team t on t.id = m.team_id and t.deleted_at is null
     left join teams.notice_preference p on p.user_id = u.id
     where m.team_id = ? order by m.joined_at, u.id limit ${MAX_PEOPLE}`,
    [teamId],
  );
}

/** Finds the members of a team with these logins in lower case. */
export function findByLogins(
  em: EntityManager,
  teamId: string,
  logins: string[],
): Promise<{ id: string; login: string }[]> {
  return em.execute(
    `select u.id, u.login from teams.membership m join teams."user" u on u.id = m.user_id
     where m.team_id = ? and lower(u.login) in (select jsonb_array_elements_text(?::jsonb)) order by u.login`,
    [teamId, JSON.stringify(logins)],
  );
}
