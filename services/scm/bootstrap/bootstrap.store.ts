import type { EntityManager } from "../../../mixins/database.ts";
import type { SeenRepository } from "../code-host/repository-host.ts";

/** Queries about bootstrap pull requests; `em` is one unit of work. */

/** Longer than a repository takes. */
const CLAIMED_FOR = "interval '3 minutes'";

/** A repository that is to be bootstrapped, or was. */
export interface Bootstrap {
  installationId: string;
  repoId: string;
  owner: string;
  repo: string;
  /** `configured`: it needs none, for it has a configuration. */
  state: "waiting" | "opened" | "configured" | "skipped";
  /** Why it was skipped, or has to wait. */
  reason: string | null;
  /** Of the pull request that was opened for this install. */
  pullNumber: number | null;
  /** Attempts that failed. */
  tries: number;
}

const COLUMNS = `installation_id as "installationId", repo_id as "repoId", owner, repo, state, reason,
  pull_number as "pullNumber", tries`;

/**
 * Asks for repositories to be bootstrapped. One that has its pull request of this install is left alone, unless
 * `again`: then it is looked at once more, and left alone for as long as its branch is there.
 * @returns the ids of those that are looked at because of it
 */
export async function askForBootstrap(
  em: EntityManager,
  installationId: string,
  repositories: SeenRepository[],
  again: boolean,
): Promise<string[]> {
  if (repositories.length === 0) return [];
  const rows: { repoId: string }[] = await em.execute(
    `insert into scm.bootstrap as b (installation_id, repo_id, owner, repo, state, asked_at, due_at)
     select ?, v.id, v.owner, v.repo, 'waiting', now(), now()
     from jsonb_to_recordset(?::jsonb) as v (id text, owner text, repo text)
     on conflict (installation_id, repo_id) do update
       set owner = excluded.owner, repo = excluded.repo, state = 'waiting', tries = 0, reason = null,
         asked_at = now(), due_at = now()
       where b.state <> 'waiting' and (b.pull_number is null or ?)
     returning repo_id as "repoId"`,
    [installationId, JSON.stringify(repositories), again],
  );
  return rows.map(({ repoId }) => repoId);
}

/** Takes those that are due, of one installation or of all. */
export async function claimBootstraps(
  em: EntityManager,
  limit: number,
  installationId: string | null = null,
): Promise<Bootstrap[]> {
  return em.execute(
    `update scm.bootstrap set due_at = now() + ${CLAIMED_FOR}
     where (installation_id, repo_id) in (
       select installation_id, repo_id from scm.bootstrap
       where due_at <= now() and installation_id = coalesce(?, installation_id)
       order by due_at limit ? for update skip locked)
     returning ${COLUMNS}`,
    [installationId, limit],
  );
}

/** Writes down what became of one. */
export async function settleBootstrap(
  em: EntityManager,
  { installationId, repoId }: Bootstrap,
  { state, reason, pullNumber }: Pick<Bootstrap, "state" | "reason" | "pullNumber">,
): Promise<void> {
  await em.execute(
    `update scm.bootstrap set state = ?, reason = ?, pull_number = ?, due_at = null
     where installation_id = ? and repo_id = ?`,
    [state, reason, pullNumber, installationId, repoId],
  );
}

/** Has one tried again then. */
export async function postponeBootstrap(
  em: EntityManager,
  { installationId, repoId }: Bootstrap,
  reason: string,
  inMs: number,
): Promise<void> {
  await em.execute(
    `update scm.bootstrap set tries = tries + 1, reason = ?, due_at = now() + make_interval(secs => ?)
     where installation_id = ? and repo_id = ?`,
    [reason, inMs / 1_000, installationId, repoId],
  );
}

export function findBootstraps(
  em: EntityManager,
  installationId: string,
  repoIds: string[],
): Promise<Bootstrap[]> {
  if (repoIds.length === 0) return Promise.resolve([]);
  return em.execute(
    `select ${COLUMNS} from scm.bootstrap where installation_id = ? and repo_id in (?) order by owner, repo`,
    [installationId, repoIds],
  );
}

/** Wants no more of these repositories; without ids, of none of the installation's. What was opened stays known. */
export async function callOffBootstraps(
  em: EntityManager,
  installationId: string,
  repoIds: string[] | null,
): Promise<void> {
  await em.execute(
    `update scm.bootstrap set due_at = null, state = 'skipped', reason = 'The app has no access any more'
     where installation_id = ? and state = 'waiting' and (?::jsonb is null or ?::jsonb @> to_jsonb(repo_id))`,
    [installationId, repoIds && JSON.stringify(repoIds), repoIds && JSON.stringify(repoIds)],
  );
}
