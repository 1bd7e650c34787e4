import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import type { ForwardedRun } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { RepositoryName } from "../code-host/code-host.ts";

/**
 * Queries about runs that the deployment platform's integration submits after it verified the platform's signature.
 * `em` is one unit of work.
 */

/** No plan keeps a run longer. */
const RETENTION = "interval '100 days'";
/** The number of teams whose runs are looked for at one commit. */
const MAX_TEAMS = 50;

/** Saves that the integration submits this run for a team. */
export async function putForwardedRun(em: EntityManager, run: ForwardedRun): Promise<void> {
  const { owner, repo, sha } = run.commit;
  await em.execute(
    `insert into scm.forwarded_run (digest, team_id, owner, repo, sha, forwarded_at) values (?, ?, ?, ?, ?, now())
     on conflict (digest) do update set forwarded_at = now()`,
    [digestOf(run), run.teamId, owner, repo, sha.toLowerCase()],
  );
}

/**
 * Returns whether the integration submitted exactly this for the team: preview, commit, repository, and pull request.
 */
export async function isForwarded(em: EntityManager, run: ForwardedRun): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.forwarded_run where digest = ?", [digestOf(run)]);
  return rows.length > 0;
}

/** Returns whether the integration submits runs for a team. */
export async function hasForwardedRuns(em: EntityManager, teamId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.forwarded_run where team_id = ? limit 1", [
    teamId,
  ]);
  return rows.length > 0;
}

/** Returns a page of the teams with forwarded runs in the last day. @param after the last team of the page before */
export async function findForwardingTeams(
  em: EntityManager,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct team_id as id from scm.forwarded_run
     where forwarded_at > now() - interval '1 day' and team_id > ? order by 1 limit ?`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/** Returns the teams with forwarded runs of a commit, and the repository as the platform spells it. */
export function findForwardedOf(
  em: EntityManager,
  { owner, repo, sha }: RepositoryName & { sha: string },
): Promise<({ teamId: string } & RepositoryName)[]> {
  return em.execute(
    `select team_id as "teamId", owner, repo from scm.forwarded_run
     where sha = ? and lower(owner) = lower(?) and lower(repo) = lower(?)
     group by team_id, owner, repo order by max(forwarded_at) desc limit ${MAX_TEAMS}`,
    [sha, owner, repo],
  );
}

export async function deleteOldForwarded(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.forwarded_run where forwarded_at < now() - ${RETENTION}`);
}

function digestOf({ teamId, url, commit: { owner, repo, sha, pr } }: ForwardedRun): string {
  const fields = [teamId, new URL(url).href, owner, repo, sha.toLowerCase(), pr ?? null];
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}
