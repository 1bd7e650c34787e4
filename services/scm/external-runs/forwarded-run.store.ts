import { createHash } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import type { ForwardedRun } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { RepositoryName } from "../code-host/repository-access.ts";

/** Runs that the deployment platform's integration submits after it verified the platform's signature; `em` is one unit of work. */

/** A run that is reported is not kept longer by any plan. */
const KEPT_FOR = "interval '100 days'";
/** So many teams are asked for runs whose end was missed. */
const TEAMS_AT_MOST = 50;

/** Notes that the integration submits this run for a team. */
export async function putForwardedRun(em: EntityManager, run: ForwardedRun): Promise<void> {
  const { owner, repo, sha } = run.commit;
  await em.execute(
    `insert into scm.forwarded_run (digest, team_id, owner, repo, sha, forwarded_at) values (?, ?, ?, ?, ?, now())
     on conflict (digest) do update set forwarded_at = now()`,
    [digestOf(run), run.teamId, owner, repo, sha.toLowerCase()],
  );
}

/** Whether the integration submitted just this for the team: the same preview of the same commit, repository and pull request. */
export async function isForwarded(em: EntityManager, run: ForwardedRun): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.forwarded_run where digest = ?", [digestOf(run)]);
  return rows.length > 0;
}

/** Whether the integration submits runs for a team. */
export async function hasForwardedRuns(em: EntityManager, teamId: string): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.forwarded_run where team_id = ? limit 1", [
    teamId,
  ]);
  return rows.length > 0;
}

/** The teams that runs were submitted for within the last day, the latest first. */
export async function findForwardingTeams(em: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select team_id as id from scm.forwarded_run where forwarded_at > now() - interval '1 day'
     group by team_id order by max(forwarded_at) desc limit ${TEAMS_AT_MOST}`,
  );
  return rows.map(({ id }) => id);
}

/** The teams that runs of a commit were submitted for, with the repository as the platform spells it. */
export function findForwardedOf(
  em: EntityManager,
  { owner, repo, sha }: RepositoryName & { sha: string },
): Promise<({ teamId: string } & RepositoryName)[]> {
  return em.execute(
    `select team_id as "teamId", owner, repo from scm.forwarded_run
     where sha = ? and lower(owner) = lower(?) and lower(repo) = lower(?)
     group by team_id, owner, repo order by max(forwarded_at) desc limit ${TEAMS_AT_MOST}`,
    [sha, owner, repo],
  );
}

export async function deleteOldForwarded(em: EntityManager): Promise<void> {
  await em.execute(`delete from scm.forwarded_run where forwarded_at < now() - ${KEPT_FOR}`);
}

function digestOf({ teamId, url, commit: { owner, repo, sha, pr } }: ForwardedRun): string {
  const said = [teamId, new URL(url).href, owner, repo, sha.toLowerCase(), pr ?? null];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}
