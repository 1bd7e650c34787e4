import { leaseRows } from "../../../mixins/database/lease-rows.ts";
import type { EntityManager } from "../../../mixins/database.ts";
import type { SeenRepository } from "../code-host/code-host.ts";
import { type FullLanes, type Lane, WORK_TIMEOUT_MS } from "../lanes/lanes.ts";
import { leaseLanes } from "../lanes/lease-lanes.ts";

/** Queries about bootstrap pull requests. `em` is one unit of work. */

/**
 * Safely longer than the lane's timeout, because work whose time is up still ends its requests. With an equal lease, a
 * slow bootstrap would be done twice at once.
 */
const LEASE_DURATION = `interval '${2 * WORK_TIMEOUT_MS} milliseconds'`;

/** A repository with a requested bootstrap. */
export interface Bootstrap {
  installationId: string;
  repoId: string;
  owner: string;
  repo: string;
  /** `configured` needs no bootstrap, because the repository has a configuration. */
  state: "waiting" | "opened" | "configured" | "skipped";
  /** Why it was skipped or has to wait. */
  reason: string | null;
  /** The pull request that was opened for this installation. */
  pullNumber: number | null;
  /** The number of failed attempts. */
  failures: number;
}

const COLUMNS = `installation_id as "installationId", repo_id as "repoId", owner, repo, state, reason,
  pull_number as "pullNumber", failures`;

/**
 * Requests bootstraps of repositories. Skips those with a pull request of this installation, unless `includesProposed`.
 * These are then skipped later while their branch exists.
 * @returns the ids of the repositories with a new request
 */
export async function requestBootstraps(
  em: EntityManager,
  installationId: string,
  repositories: SeenRepository[],
  includesProposed: boolean,
): Promise<string[]> {
  if (repositories.length === 0) return [];
  const rows: { repoId: string }[] = await em.execute(
    `insert into scm.bootstrap as b (installation_id, repo_id, owner, repo, state, requested_at, due_at)
     select ?, v.id, v.owner, v.repo, 'waiting', now(), now()
     from jsonb_to_recordset(?::jsonb) as v (id text, owner text, repo text)
     on conflict (installation_id, repo_id) do update
       set owner = excluded.owner, repo = excluded.repo, state = 'waiting', failures = 0, reason = null,
         requested_at = now(), due_at = now()
       where b.state <> 'waiting' and (b.pull_number is null or ?)
     returning repo_id as "repoId"`,
    [installationId, JSON.stringify(repositories), includesProposed],
  );
  return rows.map(({ repoId }) => repoId);
}

const LEASE = {
  table: "scm.bootstrap",
  key: "installation_id, repo_id",
  set: `due_at = now() + ${LEASE_DURATION}`,
  returning: COLUMNS,
};

/** Leases due bootstraps: the longest overdue one of each code host and team, outside of full lanes. */
export function leaseDueBootstraps(em: EntityManager, full: FullLanes): Promise<(Bootstrap & Lane)[]> {
  return leaseLanes(em, { ...LEASE, where: "due_at <= now()", dueAt: "due_at" }, full);
}

/** Leases the longest overdue bootstrap of an installation. */
export function leaseBootstrapOf(em: EntityManager, installationId: string): Promise<Bootstrap[]> {
  const where = "due_at <= now() and installation_id = ?";
  return em.execute(leaseRows({ ...LEASE, where, orderBy: "due_at" }), [installationId, 1]);
}

/** Saves the result of a bootstrap. */
export async function finishBootstrap(
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

/** Schedules another attempt. */
export async function postponeBootstrap(
  em: EntityManager,
  { installationId, repoId }: Bootstrap,
  reason: string,
  inMs: number,
): Promise<void> {
  await em.execute(
    `update scm.bootstrap set failures = failures + 1, reason = ?, due_at = now() + make_interval(secs => ?)
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

/**
 * Cancels pending bootstraps of these repositories, or of the whole installation without ids. Opened pull requests stay
 * known.
 */
export async function cancelBootstraps(
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
