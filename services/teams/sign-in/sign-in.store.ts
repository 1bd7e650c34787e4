import type { EntityManager } from "../../../mixins/database.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Account } from "./code-host.ts";
import type { Provider } from "./oidc/providers.ts";
import type { ProviderAccount } from "./oidc/read-claims.rule.ts";

/** A sign-in that is not finished by then must be started again. */
const EXPIRES_AFTER = "interval '10 minutes'";

interface PendingSignIn {
  verifier: string;
  next: string;
  /** Of an identity provider. Null for the code host. */
  nonce: string | null;
}

export async function insertSignIn(
  em: EntityManager,
  {
    stateHash,
    browserHash,
    verifier,
    next,
    provider,
    nonce,
  }: PendingSignIn & { stateHash: string; browserHash: string; provider: string | null },
): Promise<void> {
  await em.execute(
    "insert into teams.sign_in (state_hash, browser_hash, verifier, next, provider, nonce) values (?, ?, ?, ?, ?, ?)",
    [stateHash, browserHash, verifier, next, provider, nonce],
  );
}

/**
 * Deletes a browser's pending sign-in and returns it, so that it is used only once. Returns null for an unknown or
 * expired one.
 */
export async function deletePendingSignIn(
  em: EntityManager,
  { stateHash, browserHash, provider }: { stateHash: string; browserHash: string; provider: string | null },
): Promise<PendingSignIn | null> {
  const rows: PendingSignIn[] = await em.execute(
    `delete from teams.sign_in where state_hash = ? and browser_hash = ? and provider is not distinct from ?
       and created_at > now() - ${EXPIRES_AFTER}
     returning verifier, next, nonce`,
    [stateHash, browserHash, provider],
  );
  return rows[0] ?? null;
}

export async function deleteOldSignIns(em: EntityManager): Promise<void> {
  await em.execute(`delete from teams.sign_in where created_at <= now() - ${EXPIRES_AFTER}`);
}

/**
 * Inserts or updates the user with this account. A login belongs to one user, so a previous owner loses it.
 * @returns the user's id
 */
export async function putUser(
  tx: EntityManager,
  id: string,
  { hostId, login, name, email }: Account,
): Promise<string> {
  await tx.execute(
    'update teams."user" set login = null where provider is null and lower(login) = lower(?) and host_id <> ?',
    [login, hostId],
  );
  const rows: { id: string }[] = await tx.execute(
    `insert into teams."user" (id, host_id, login, name, email) values (?, ?, ?, ?, ?)
     on conflict (host_id) do update
       set login = excluded.login, name = excluded.name, email = excluded.email, signed_in_at = now()
     returning id`,
    [id, hostId, login, name, email],
  );
  return rows[0]?.id ?? id;
}

type AccountProvider = Pick<Provider, "id" | "client">;

/** A subject is unique at its issuer only, and a provider's settings may get another issuer. */
export function subjectAt({ client }: AccountProvider, subject: string): string {
  return `${client.issuer} ${subject}`;
}

/**
 * Inserts or updates the user with this account at a provider. Its login is unique among the provider's. @returns the
 * user's id
 */
export async function putProviderUser(
  tx: EntityManager,
  id: string,
  provider: AccountProvider,
  { subject: sub, login, name, email }: Pick<ProviderAccount, "subject" | "login" | "name" | "email">,
): Promise<string> {
  const subject = subjectAt(provider, sub);
  await tx.execute(
    'update teams."user" set login = null where provider = ? and lower(login) = lower(?) and subject <> ?',
    [provider.id, login, subject],
  );
  const rows: { id: string }[] = await tx.execute(
    `insert into teams."user" (id, provider, subject, login, name, email) values (?, ?, ?, ?, ?, ?)
     on conflict (provider, subject) do update
       set login = excluded.login, name = excluded.name, email = excluded.email, signed_in_at = now()
     returning id`,
    [id, provider.id, subject, login, name, email],
  );
  return rows[0]?.id ?? id;
}

interface FoundInvitation {
  id: string;
  teamId: string;
  role: Role;
}

/** Finds the user with this account at a provider. Null before the first sign-in. */
export async function findUserOfSubject(
  em: EntityManager,
  provider: AccountProvider,
  subject: string,
): Promise<string | null> {
  const rows: { id: string }[] = await em.execute(
    'select id from teams."user" where provider = ? and subject = ?',
    [provider.id, subjectAt(provider, subject)],
  );
  return rows[0]?.id ?? null;
}

/** Whose invitations are meant. */
export interface Invitee {
  /** The login at the code host. Null for an account of a provider. */
  login: string | null;
  /** Verified addresses, in lower case. */
  emails: string[];
  /** The only team whose provider vouches for the addresses. Null for any team. */
  teamId: string | null;
}

/** Finds the invitations that an account can accept, ordered by team. */
export function findInvitationsFor(
  tx: EntityManager,
  { login, emails, teamId }: Invitee,
): Promise<FoundInvitation[]> {
  return tx.execute(
    `select id, team_id as "teamId", role from teams.invitation
     where expires_at > now() and (?::text is null or team_id = ?)
       and (lower(login) = lower(?) or lower(email) in (select jsonb_array_elements_text(?::jsonb)))
     order by team_id, id`,
    [teamId, teamId, login, JSON.stringify(emails)],
  );
}
