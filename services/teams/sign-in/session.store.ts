import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";

/** A session expires after this time without use, and after its maximum age. */
const IDLE_TIMEOUT = "interval '30 days'";
const MAX_AGE = "interval '90 days'";
/**
 * A token is replaced after this time. The old one stays valid until the browser sends the new one, whose response may
 * be lost, and a moment longer, for requests that were sent before.
 */
const TOKEN_LIFETIME = "interval '1 day'";
const TOKEN_GRACE = "interval '1 minute'";

const IS_VALID = `s.used_at > now() - ${IDLE_TIMEOUT} and s.created_at > now() - ${MAX_AGE}`;
const EXPIRES = `least(s.used_at + ${IDLE_TIMEOUT}, s.created_at + ${MAX_AGE}) as "expiresAt"`;
/** Whether a token has to be replaced. Takes its hash twice. A new one that never came back is replaced again. */
const IS_DUE = `((s.hash = ? and s.renewed_at < now() - ${TOKEN_LIFETIME})
  or (s.previous_hash = ? and s.previous_until is null and s.renewed_at < now() - ${TOKEN_GRACE}))`;

export interface FoundSession {
  id: string;
  userId: string | null;
  keyId: string | null;
  /** The identity provider that it comes from. */
  provider: string | null;
  expiresAt: Date;
  /** Whether its token has to be replaced. */
  renew: boolean;
  /** Whether this is the first use of a token that replaced another. */
  isFirstUse: boolean;
}

export async function findSession(em: EntityManager, tokenHash: string): Promise<FoundSession | null> {
  const rows: FoundSession[] = await em.execute(
    `select s.id, s.user_id as "userId", s.key_id as "keyId", s.provider, ${EXPIRES},
       ${IS_DUE} is true as renew,
       s.hash = ? and s.previous_hash is not null and s.previous_until is null as "isFirstUse"
     from teams.session s
     where (s.hash = ? or (s.previous_hash = ? and coalesce(s.previous_until > now(), true))) and ${IS_VALID}`,
    Array(5).fill(tokenHash),
  );
  return rows[0] ?? null;
}

/** Finds which of these hashes are those of a valid key or of a session's token, in one query. */
export async function findKnownHashes(em: EntityManager, hashes: string[]): Promise<string[]> {
  const rows: { hash: string }[] = await em.execute(
    `with requested as materialized (select jsonb_array_elements_text(?::jsonb) as hash)
     select hash from requested a
     where exists (select from teams.api_key k where k.hash = a.hash and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > now()))
       or exists (select from teams.exchanged_key e where e.hash = a.hash and e.expires_at > now())
       or exists (select from teams.session s where s.hash = a.hash)
       or exists (select from teams.session s where s.previous_hash = a.hash)`,
    [JSON.stringify(hashes)],
  );
  return rows.map(({ hash }) => hash);
}

/** Ends the token before this one in a moment, because the browser has this one. */
export async function endPreviousToken(em: EntityManager, tokenHash: string): Promise<void> {
  await em.execute(
    `update teams.session set previous_until = now() + ${TOKEN_GRACE} where hash = ? and previous_until is null`,
    [tokenHash],
  );
}

/** Records a use, at most once an hour. */
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
  /** The browser's name, for the owner. */
  browser?: string | null | undefined;
  /** Where it comes from. Missing for the code host and for keys. */
  origin?: ProviderOrigin;
}

/** The provider that a session comes from, its session there, and the ID token that ends it. */
interface ProviderOrigin {
  provider: string;
  sid: string | null;
  idToken: string;
}

const TOKEN_PURPOSE = "sign-in token";

/** Inserts a session beside the owner's others. */
export async function insertSession(
  tx: EntityManager,
  { id, tokenHash, actor, browser = null, origin }: NewSession,
): Promise<void> {
  const idToken = origin && JSON.stringify(sealJson(secretsOf(tx), origin.idToken, TOKEN_PURPOSE));
  await tx.execute(
    `insert into teams.session (id, hash, user_id, key_id, browser, provider, provider_sid, id_token)
     values (?, ?, ?, ?, ?, ?, ?, ?::jsonb)`,
    [
      ...[id, tokenHash],
      ...[actor.kind === "user" ? actor.id : null, actor.kind === "key" ? actor.id : null],
      ...[browser, origin?.provider ?? null, origin?.sid ?? null, idToken ?? null],
    ],
  );
}

/** Returns where a session of this actor comes from. Null for the code host and for keys. */
export async function findOrigin(
  em: EntityManager,
  actor: Actor,
  id: string,
): Promise<{ provider: string; idToken: string } | null> {
  const rows: { provider: string; idToken: string }[] = await em.execute(
    `select s.provider, s.id_token as "idToken" from teams.session s
     where s.id = ? and ${ownedBy(actor)} = ? and s.provider is not null and s.id_token is not null`,
    [id, actor.id],
  );
  const [found] = rows;
  return found ? { ...found, idToken: openJson(secretsOf(em), found.idToken, TOKEN_PURPOSE) } : null;
}

/** Deletes the sessions that a provider ended: one of its sessions, or all of a user. @returns the deleted ones */
export function deleteProviderSessions(
  tx: EntityManager,
  provider: string,
  { sid, subject }: { sid: string | null; subject: string | null },
): Promise<{ id: string; userId: string }[]> {
  return tx.execute(
    `delete from teams.session s using teams."user" u
     where u.id = s.user_id and s.provider = ? and (?::text is null or s.provider_sid = ?)
       and (?::text is null or (u.provider = s.provider and u.subject = ?))
     returning s.id, s.user_id as "userId"`,
    [provider, sid, sid, subject, subject],
  );
}

/** Deletes all sessions of a user. @returns their ids */
export async function deleteSessionsOf(tx: EntityManager, userId: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.execute(
    "delete from teams.session where user_id = ? returning id",
    [userId],
  );
  return rows.map(row => row.id);
}

/** Deletes all sessions from a provider. @returns their ids */
export async function deleteSessionsFrom(tx: EntityManager, provider: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.execute(
    "delete from teams.session where provider = ? returning id",
    [provider],
  );
  return rows.map(row => row.id);
}

export async function deleteSessionByToken(tx: EntityManager, tokenHash: string): Promise<void> {
  await tx.execute("delete from teams.session where hash = ? or previous_hash = ?", [tokenHash, tokenHash]);
}

/**
 * Replaces a session's token if it is old enough. Of concurrent callers, one succeeds.
 * @returns whether this caller did
 */
export async function replaceToken(em: EntityManager, tokenHash: string, newHash: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update teams.session s set previous_hash = ?, previous_until = null, hash = ?, renewed_at = now()
     where ${IS_DUE} returning id`,
    [tokenHash, newHash, tokenHash, tokenHash],
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
  provider: string | null;
}

/** Finds the actor's sessions, newest first, and one more than the limit if there are more. */
export function findSessions(
  em: EntityManager,
  actor: Actor,
  { limit, before = "~" }: { limit: number; before?: string },
): Promise<ListedSession[]> {
  return em.execute(
    `select s.id, s.created_at as "createdAt", s.used_at as "usedAt", ${EXPIRES}, s.browser, s.provider from teams.session s
     where ${ownedBy(actor)} = ? and s.id < ? and ${IS_VALID} order by s.id desc limit ?`,
    [actor.id, before, limit + 1],
  );
}

/** Deletes one of the actor's sessions. @returns whether it existed */
export async function deleteSession(em: EntityManager, actor: Actor, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `delete from teams.session s where s.id = ? and ${ownedBy(actor)} = ? returning s.id`,
    [id, actor.id],
  );
  return rows.length === 1;
}

/** Deletes all of the actor's sessions except one. @returns the ids of the deleted ones */
export async function deleteOtherSessions(
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

export async function deleteOldSessions(em: EntityManager): Promise<void> {
  await em.execute(`delete from teams.session s where not (${IS_VALID})`);
}
