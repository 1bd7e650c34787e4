import type { EntityManager } from "../../../mixins/database.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Account } from "./code-host.ts";

/** Who has not come back from the code host by then begins again. */
const WITHIN = "interval '10 minutes'";

interface BegunSignIn {
  verifier: string;
  next: string;
}

export async function insertSignIn(
  em: EntityManager,
  { stateHash, browserHash, verifier, next }: BegunSignIn & { stateHash: string; browserHash: string },
): Promise<void> {
  await em.execute(
    "insert into teams.sign_in (state_hash, browser_hash, verifier, next) values (?, ?, ?, ?)",
    [stateHash, browserHash, verifier, next],
  );
}

/** Takes what this browser began, which nobody can take again. Null when there is nothing, or it was too long ago. */
export async function takeSignIn(
  em: EntityManager,
  stateHash: string,
  browserHash: string,
): Promise<BegunSignIn | null> {
  const rows: BegunSignIn[] = await em.execute(
    `delete from teams.sign_in where state_hash = ? and browser_hash = ? and created_at > now() - ${WITHIN}
     returning verifier, next`,
    [stateHash, browserHash],
  );
  return rows[0] ?? null;
}

export async function removeOldSignIns(em: EntityManager): Promise<void> {
  await em.execute(`delete from teams.sign_in where created_at <= now() - ${WITHIN}`);
}

/** The person with this account, made or brought up to date. A login is one person's: who had it before has none. @returns her id */
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

/** The invitations that an account may accept, one team after the other. */
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
