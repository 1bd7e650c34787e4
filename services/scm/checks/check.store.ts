import type { EntityManager } from "../../../mixins/database.ts";
import { type CheckRun, CheckRunEntity, type Preview } from "./check-run.entity.ts";

/** Queries about checks; `em` is one unit of work. */

/** Who has a check renews that; one that went away has it no longer than this. */
const CLAIMED_FOR = "interval '90 seconds'";
/** A run ends long before, however large; what is still open then never will. */
const OPEN_FOR = "interval '2 hours'";

/** The claim of who adds a check: nobody has done anything about it yet. */
export const FIRST_CLAIM = 1;

export type NewCheckRun = Pick<
  CheckRun,
  "id" | "installationId" | "repoId" | "owner" | "repo" | "sha" | "pull" | "runId"
> &
  Preview & { mergeGroup?: boolean; teamId?: string | null };

/** Adds a check, claimed by its maker; of a commit that has one already it adds none. @returns whether it was added */
export async function insertCheck(em: EntityManager, check: NewCheckRun): Promise<boolean> {
  const { id, installationId, repoId, owner, repo, sha, pull, previewUrl, fromTemplate, runId } = check;
  const { mergeGroup = false, teamId = null } = check;
  const rows: object[] = await em.execute(
    `insert into scm.check_run (id, installation_id, repo_id, owner, repo, sha, pull, preview_url, from_template, run_id,
       merge_group, team_id, attempt, tries, created_at, give_up_at, look_at, claim, claimed_at, claimed_until)
     values (?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, 1, 0, now(), now() + ${OPEN_FOR}, now(), ${FIRST_CLAIM},
       clock_timestamp(), now() + ${CLAIMED_FOR})
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
      mergeGroup,
      teamId,
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

const TAKEN = `claim = claim + 1, claimed_at = clock_timestamp(), claimed_until = now() + ${CLAIMED_FOR}`;

/** Takes a check for itself, if nobody else has it. Null when somebody has, who will look at it once more. */
export async function claimCheck(em: EntityManager, id: string): Promise<CheckRun | null> {
  await nudge(em, "id", id);
  const rows: object[] = await em.execute(
    `update scm.check_run set ${TAKEN}
     where id = ? and (claimed_until is null or claimed_until < now()) returning id`,
    [id],
  );
  return rows.length > 0 ? em.findOneOrFail(CheckRunEntity, { id }) : null;
}

/** Takes those that are due, the longest due first. */
export async function claimDueChecks(em: EntityManager, limit: number): Promise<CheckRun[]> {
  const rows: { id: string }[] = await em.execute(
    `update scm.check_run set ${TAKEN}
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

/** Writes down what a look at a claimed check found out. @returns false when it is another's to look at by now, or at another attempt */
export async function updateCheck(
  em: EntityManager,
  { id, attempt, claim }: CheckRun,
  changes: CheckChanges,
): Promise<boolean> {
  return (await em.nativeUpdate(CheckRunEntity, { id, attempt, claim }, changes)) > 0;
}

/** Has a check say this above all else, for as long as it has this attempt. */
export async function putNote(
  em: EntityManager,
  { id, attempt }: CheckRun,
  note: string | null,
): Promise<void> {
  await em.nativeUpdate(CheckRunEntity, { id, attempt }, { note });
}

/** Has the code host told once more how a check is, by whoever looks at it next; who has it now may have told it too early. */
export async function tellAnew(em: EntityManager, { id }: CheckRun): Promise<void> {
  await em.execute(
    "update scm.check_run set told = null, look_at = now(), claim = claim + 1, claimed_until = null where id = ?",
    [id],
  );
}

/** Keeps a claimed check for its holder, if it is that still. */
export async function renewClaim(em: EntityManager, { id, claim }: CheckRun): Promise<void> {
  await em.execute(
    `update scm.check_run set claimed_until = now() + ${CLAIMED_FOR}
     where id = ? and claim = ? and claimed_until is not null`,
    [id, claim],
  );
}

/** Lets a claimed check go, if it is the caller's still. @param lookInMs when to look at it again by itself; null for never */
export async function releaseCheck(
  em: EntityManager,
  { id, attempt, claim }: CheckRun,
  lookInMs: number | null,
): Promise<void> {
  await em.execute(
    `update scm.check_run set claimed_until = null,
       look_at = case when nudged_at > claimed_at or attempt <> ? then now() else now() + make_interval(secs => ?) end
     where id = ? and claim = ?`,
    [attempt, lookInMs === null ? null : lookInMs / 1_000, id, claim],
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

/**
 * Notes what the Cloud API told, if it is of the run that is the check's: any team's run may name the check. Where that
 * is not known yet, the look that is under way learns it, and asks for the run itself.
 */
export async function recordOutcome(
  em: EntityManager,
  check: CheckRun,
  runId: string,
  outcome: NonNullable<CheckRun["outcome"]>,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update scm.check_run set outcome = ?::jsonb where id = ? and attempt = ? and run_id = ? returning id`,
    [JSON.stringify(outcome), check.id, check.attempt, runId],
  );
  return rows.length > 0;
}

/** Whether the time is over in which a check's attempt has to end. */
export async function isOverdue(em: EntityManager, { id }: CheckRun): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.check_run where id = ? and give_up_at <= now()", [
    id,
  ]);
  return rows.length > 0;
}

/** Forgets checks that are older than any plan keeps runs. */
export async function deleteOldChecks(em: EntityManager): Promise<void> {
  await em.execute("delete from scm.check_run where created_at < now() - interval '100 days'");
}

/** The teams whose runs a pull request was checked by; null for the app's. */
export async function findCheckingTeams(
  em: EntityManager,
  { repoId, number }: { repoId: string; number: number },
): Promise<(string | null)[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct team_id as id from scm.check_run
     where repo_id = ? and pull ->> 'number' = ? and team_id is not null`,
    [repoId, String(number)],
  );
  return [null, ...rows.map(({ id }) => id)];
}

/** Leaves the checks of an installation that is gone as they are. */
export async function abandonChecks(em: EntityManager, installationId: string): Promise<void> {
  await em.nativeUpdate(CheckRunEntity, { installationId }, { lookAt: null });
}
