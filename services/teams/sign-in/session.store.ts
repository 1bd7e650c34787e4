import type { EntityManager } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";

/** A session ends when it was not used for so long, and at the latest so long after it began. */
const IDLE = "interval '30 days'";
const AT_MOST = "interval '90 days'";
/** A token is good for so long, and then for a moment more: requests that were sent with it are on their way. */
const TOKEN_FOR = "interval '1 day'";
const TOKEN_AFTER = "interval '1 minute'";

const LIVES = `s.used_at > now() - ${IDLE} and s.created_at > now() - ${AT_MOST}`;
const EXPIRES = `least(s.used_at + ${IDLE}, s.created_at + ${AT_MOST}) as "expiresAt"`;

export interface FoundSession {
  id: string;
  userId: string | null;
  keyId: string | null;
  expiresAt: Date;
  /** Whether its token is due to be replaced. */
  renew: boolean;
}

export async function findSession(em: EntityManager, tokenHash: string): Promise<FoundSession | null> {
  const rows: FoundSession[] = await em.execute(
    `select s.id, s.user_id as "userId", s.key_id as "keyId", ${EXPIRES},
       s.hash = ? and s.renewed_at < now() - ${TOKEN_FOR} as renew
     from teams.session s
     where (s.hash = ? or (s.previous_hash = ? and s.previous_until > now())) and ${LIVES}`,
    [tokenHash, tokenHash, tokenHash],
  );
  return rows[0] ?? null;
}

/** Which of these hashes are those of a key that is not revoked, or of a session's token, in one query. */
export async function findKnownHashes(em: EntityManager, hashes: string[]): Promise<string[]> {
  const rows: { hash: string }[] = await em.execute(
    `with asked as materialized (select jsonb_array_elements_text(?::jsonb) as hash)
     select hash from asked a
     where exists (select from teams.api_key k where k.hash = a.hash and k.revoked_at is null)
       or exists (select from teams.session s where s.hash = a.hash)
       or exists (select from teams.session s where s.previous_hash = a.hash)`,
    [JSON.stringify(hashes)],
  );
  return rows.map(({ hash }) => hash);
}

/** Notes a use, at most once an hour. */
export async function touchSession(em: EntityManager, id: string): Promise<void> {
  await em.execute(
    "update teams.session set used_at = now() where id = ? and used_at < now() - interval '1 hour'",
    [id],
  );
}

interface NewSession {
  id: string;
  tokenHash: string;
  actor: Pick<Actor, "kind" | "id">;
  /** What its owner knows the browser by. */
  browser?: string | null | undefined;
}

/** Begins a session, beside any other of its owner. */
export async function insertSession(
  tx: EntityManager,
  { id, tokenHash, actor, browser = null }: NewSession,
): Promise<void> {
  await tx.execute("insert into teams.session (id, hash, user_id, key_id, browser) values (?, ?, ?, ?, ?)", [
    id,
    tokenHash,
    actor.kind === "user" ? actor.id : null,
    actor.kind === "key" ? actor.id : null,
    browser,
  ]);
}

export async function removeSessionByToken(tx: EntityManager, tokenHash: string): Promise<void> {
  await tx.execute("delete from teams.session where hash = ? or previous_hash = ?", [tokenHash, tokenHash]);
}

/** Replaces a session's token, if it is due; of several who ask at once, one does. @returns whether this one did */
export async function replaceToken(em: EntityManager, tokenHash: string, newHash: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update teams.session set previous_hash = hash, previous_until = now() + ${TOKEN_AFTER}, hash = ?, renewed_at = now()
     where hash = ? and renewed_at < now() - ${TOKEN_FOR} returning id`,
    [newHash, tokenHash],
  );
  return rows.length === 1;
}

const ownedBy = ({ kind }: Actor) => (kind === "user" ? "s.user_id" : "s.key_id");

interface ListedSession {
  id: string;
  createdAt: Date;
  usedAt: Date;
  expiresAt: Date;
  browser: string | null;
}

/** The actor's sessions, newest first, one more than the limit when there are more. */
export function findSessions(
  em: EntityManager,
  actor: Actor,
  { limit, before = "~" }: { limit: number; before?: string },
): Promise<ListedSession[]> {
  return em.execute(
    `select s.id, s.created_at as "createdAt", s.used_at as "usedAt", ${EXPIRES}, s.browser from teams.session s
     where ${ownedBy(actor)} = ? and s.id < ? and ${LIVES} order by s.id desc limit ?`,
    [actor.id, before, limit + 1],
  );
}

/** Ends one of the actor's sessions. @returns whether it had such a one */
export async function removeSession(em: EntityManager, actor: Actor, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `delete from teams.session s where s.id = ? and ${ownedBy(actor)} = ? returning s.id`,
    [id, actor.id],
  );
  return rows.length === 1;
}

/** Ends all of the actor's sessions but one. @returns the ids of those that ended */
export async function removeOtherSessions(
  em: EntityManager,
  actor: Actor,
  current: string | null,
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `delete from teams.session s where ${ownedBy(actor)} = ? and s.id is distinct from ? returning s.id`,
    [actor.id, current],
  );
  return rows.map(row => row.id);
}

export async function removeOldSessions(em: EntityManager): Promise<void> {
  await em.execute(`delete from teams.session s where not (${LIVES})`);
}
