import type { EntityManager } from "../../mixins/database.ts";
import { type CheckRun, CheckRunEntity, type Preview } from "./check-run.entity.ts";

/** Queries about checks; `em` is one unit of work. */

/** Longer than the code host and the Cloud API together take for what is done at a time. */
const CLAIMED_FOR = "interval '90 seconds'";
/** A run ends long before, however large; what is still open then never will. */
const OPEN_FOR = "interval '2 hours'";

export type NewCheckRun = Pick<
  CheckRun,
  "id" | "installationId" | "repoId" | "owner" | "repo" | "sha" | "pull" | "runId"
> &
  Preview;

/** Adds a check, claimed by its maker; of a commit that has one already it adds none. @returns whether it was added */
export async function insertCheck(em: EntityManager, check: NewCheckRun): Promise<boolean> {
  const { id, installationId, repoId, owner, repo, sha, pull, previewUrl, fromTemplate, runId } = check;
  const rows: object[] = await em.execute(
    `insert into scm.check_run (id, installation_id, repo_id, owner, repo, sha, pull, preview_url, from_template, run_id,
       attempt, tries, created_at, give_up_at, look_at, claimed_at, claimed_until)
     values (?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, 1, 0, now(), now() + ${OPEN_FOR}, now(), clock_timestamp(),
       now() + ${CLAIMED_FOR})
     on conflict (repo_id, sha) do nothing returning id`,
    [
      id,
      installationId,
      repoId,
      owner,
      repo,
      sha,
      pull && JSON.stringify(pull),
      previewUrl,
      fromTemplate,
      runId,
    ],
  );
  return rows.length > 0;
}

export function findCheckOf(em: EntityManager, repoId: string, sha: string): Promise<CheckRun | null> {
  return em.findOne(CheckRunEntity, { repoId, sha });
}

export function findCheckByHostId(em: EntityManager, hostId: string): Promise<CheckRun | null> {
  return em.findOne(CheckRunEntity, { hostId });
}

/** Takes a check for itself, if nobody else has it. Null when somebody has, who will look at it once more. */
export async function claimCheck(em: EntityManager, id: string): Promise<CheckRun | null> {
  await nudge(em, "id", id);
  const rows: object[] = await em.execute(
    `update scm.check_run set claimed_at = clock_timestamp(), claimed_until = now() + ${CLAIMED_FOR}
     where id = ? and (claimed_until is null or claimed_until < now()) returning id`,
    [id],
  );
  return rows.length > 0 ? em.findOneOrFail(CheckRunEntity, { id }) : null;
}

/** Takes those that are due, the longest due first. */
export async function claimDueChecks(em: EntityManager, limit: number): Promise<CheckRun[]> {
  const rows: { id: string }[] = await em.execute(
    `update scm.check_run set claimed_at = clock_timestamp(), claimed_until = now() + ${CLAIMED_FOR}
     where id in (
       select id from scm.check_run
       where look_at <= now() and (claimed_until is null or claimed_until < now())
       order by look_at limit ? for update skip locked)
     returning id`,
    [limit],
  );
  return em.find(CheckRunEntity, { id: { $in: rows.map(({ id }) => id) } });
}

/** Has the check of a run looked at soon, by whoever gets to it; one that is being looked at, once more. @returns whether there is one */
export async function nudgeRun(em: EntityManager, runId: string): Promise<boolean> {
  return nudge(em, "run_id", runId);
}

async function nudge(em: EntityManager, column: "id" | "run_id", value: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update scm.check_run set look_at = now(), nudged_at = clock_timestamp() where ${column} = ? returning id`,
    [value],
  );
  return rows.length > 0;
}

/** What is known of a check after a look at it. */
export type CheckChanges = Partial<
  Pick<CheckRun, "hostId" | "runId" | "conclusion" | "told" | "note" | "tries">
>;

/** Writes down what a look at a claimed check found out. */
export async function updateCheck(em: EntityManager, { id }: CheckRun, changes: CheckChanges): Promise<void> {
  await em.nativeUpdate(CheckRunEntity, { id }, changes);
}

/** Lets a claimed check go. @param lookInMs when to look at it again by itself; null for never */
export async function releaseCheck(
  em: EntityManager,
  { id }: CheckRun,
  lookInMs: number | null,
): Promise<void> {
  await em.execute(
    `update scm.check_run set claimed_until = null,
       look_at = case when nudged_at > claimed_at then now() else now() + make_interval(secs => ?) end
     where id = ?`,
    [lookInMs === null ? null : lookInMs / 1_000, id],
  );
}

/** Notes that the pull request of a commit's check is to be merged into another branch. Another one at the commit has no check of its own. */
export async function retargetCheck(
  em: EntityManager,
  { repoId, sha }: Pick<CheckRun, "repoId" | "sha">,
  pull: NonNullable<CheckRun["pull"]>,
): Promise<void> {
  await em.execute(
    "update scm.check_run set pull = ?::jsonb where repo_id = ? and sha = ? and pull ->> 'number' = ?",
    [JSON.stringify(pull), repoId, sha, String(pull.number)],
  );
}

/** What is known anew when a check's next attempt begins. */
interface NextAttempt extends Preview {
  /** The repository's default branch by now, which may be another than when the pull request was opened. */
  defaultBranch?: string;
  /** For who has claimed the check: also while its attempt is under way. */
  mayBeOpen?: boolean;
}

/** Begins a check's next attempt, if it has this one still: for whoever asks first. */
export async function beginAttempt(
  em: EntityManager,
  check: CheckRun,
  { previewUrl, fromTemplate, defaultBranch, mayBeOpen = false }: NextAttempt,
): Promise<boolean> {
  const known = JSON.stringify(defaultBranch === undefined ? {} : { defaultBranch });
  const rows: object[] = await em.execute(
    `update scm.check_run set attempt = attempt + 1, run_id = null, conclusion = null, outcome = null, note = null,
       told = null, tries = 0, preview_url = ?, from_template = ?, pull = pull || ?::jsonb,
       give_up_at = now() + ${OPEN_FOR}, look_at = now()
     where id = ? and attempt = ? and (conclusion is not null or ?) returning id`,
    [previewUrl, fromTemplate, known, check.id, check.attempt, mayBeOpen],
  );
  return rows.length > 0;
}

/** Notes what the Cloud API told, unless it is of a run that is not the check's any more. */
export async function recordOutcome(
  em: EntityManager,
  check: CheckRun,
  runId: string,
  outcome: NonNullable<CheckRun["outcome"]>,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update scm.check_run set outcome = ?::jsonb, run_id = ?
     where id = ? and attempt = ? and (run_id is null or run_id = ?) returning id`,
    [JSON.stringify(outcome), runId, check.id, check.attempt, runId],
  );
  return rows.length > 0;
}

/** Whether a check that is still open has been so for too long. */
export async function isOverdue(em: EntityManager, { id }: CheckRun): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.check_run where id = ? and give_up_at <= now()", [
    id,
  ]);
  return rows.length > 0;
}

/** Forgets checks that are older than any plan keeps runs. */
export async function forgetOldChecks(em: EntityManager): Promise<void> {
  await em.execute("delete from scm.check_run where created_at < now() - interval '100 days'");
}

/** Leaves the checks of an installation that is gone as they are. */
export async function abandonChecks(em: EntityManager, installationId: string): Promise<void> {
  await em.nativeUpdate(CheckRunEntity, { installationId }, { lookAt: null });
}
