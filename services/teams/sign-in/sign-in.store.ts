import type { EntityManager } from "../../../mixins/database.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Account } from "./code-host.ts";

/** A sign-in that is not finished by then must be started again. */
const EXPIRES_AFTER = "interval '10 minutes'";

interface PendingSignIn {
  verifier: string;
  next: string;
}

export async function insertSignIn(
  em: EntityManager,
  { stateHash, browserHash, verifier, next }: PendingSignIn & { stateHash: string; browserHash: string },
): Promise<void> {
  await em.execute(
    "insert into teams.sign_in (state_hash, browser_hash, verifier, next) values (?, ?, ?, ?)",
    [stateHash, browserHash, verifier, next],
  );
}

/**
 * Deletes a browser's pending sign-in and returns it, so that it is used only once. Returns null for an unknown or
 * expired one.
 */
export async function deletePendingSignIn(
  em: EntityManager,
  stateHash: string,
  browserHash: string,
): Promise<PendingSignIn | null> {
  const rows: PendingSignIn[] = await em.execute(
    `delete from teams.sign_in where state_hash = ? and browser_hash = ? and created_at > now() - ${EXPIRES_AFTER}
     returning verifier, next`,
    [stateHash, browserHash],
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
  await tx.execute('update teams."user" set login = null where lower(login) = lower(?) and host_id <> ?', [
    login,
    hostId,
  ]);
  const rows: { id: string }[] = await tx.execute(
    `insert into teams."user" (id, host_id, login, name, email) values (?, ?, ?, ?, ?)
     on conflict (host_id) do update
       set login = excluded.login, name = excluded.name, email = excluded.email, signed_in_at = now()
     returning id`,
    [id, hostId, login, name, email],
  );
  return rows[0]?.id ?? id;
}

interface FoundInvitation {
  id: string;
  teamId: string;
  role: Role;
}

/** Finds the invitations that an account can accept, ordered by team. */
export function findInvitationsFor(
  tx: EntityManager,
  { login, emails }: Account,
): Promise<FoundInvitation[]> {
  return tx.execute(
    `select id, team_id as "teamId", role from teams.invitation
     where expires_at > now() and (lower(login) = lower(?) or lower(email) in (select jsonb_array_elements_text(?::jsonb))) order by team_id, id`,
    [login, JSON.stringify(emails)],
  );
}
