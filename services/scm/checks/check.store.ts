import type { EntityManager } from "../../../mixins/database.ts";
import { isConnection } from "../connections/connection-id.ts";
import type { FullLanes, Lane } from "../lanes/lanes.ts";
import { leaseLanes } from "../lanes/lease-lanes.ts";
import { type CheckRun, CheckRunEntity, type Preview } from "./check-run.entity.ts";

/** Queries about checks. `em` is one unit of work. */

/** The holder of a check renews its lease. A node that stops keeps it for this long at most. */
const LEASE_DURATION = "interval '90 seconds'";
/** Even large runs end long before. A check that is still open after this never closes by itself. */
const ATTEMPT_TIMEOUT = "interval '2 hours'";

/** The lease of a new check, whose creator has done nothing with it yet. */
export const FIRST_LEASE = 1;

export type NewCheckRun = Pick<
  CheckRun,
  "id" | "installationId" | "repoId" | "owner" | "repo" | "sha" | "pull" | "runId"
> &
  Preview & { name?: string; mergeGroup?: boolean; teamId?: string | null };

/** Inserts a check with a lease for the caller, unless the commit has one. @returns whether it was inserted */
export async function insertCheck(em: EntityManager, check: NewCheckRun): Promise<boolean> {
  const { id, installationId, repoId, owner, repo, sha, pull, previewUrl, fromTemplate, runId } = check;
  const { name = "", mergeGroup = false, teamId = null } = check;
  const rows: object[] = await em.execute(
    `insert into scm.check_run (id, installation_id, repo_id, owner, repo, sha, name, pull, preview_url, from_template, run_id,
       merge_group, team_id, attempt, failures, created_at, deadline_at, next_check_at, lease, leased_at, leased_until)
     values (?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, 1, 0, now(), now() + ${ATTEMPT_TIMEOUT}, now(), ${FIRST_LEASE},
       clock_timestamp(), now() + ${LEASE_DURATION})
     on conflict (repo_id, sha, name) do nothing returning id`,
    [
      id,
      installationId,
      repoId,
      owner,
      repo,
      sha,
      name,
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

/** Finds the check of a commit: of its preview, or of the build with this name. */
export function findCheckOf(
  em: EntityManager,
  repoId: string,
  sha: string,
  name = "",
): Promise<CheckRun | null> {
  return em.findOne(CheckRunEntity, { repoId, sha, name });
}

export function findCheckByHostId(em: EntityManager, hostId: string): Promise<CheckRun | null> {
  return em.findOne(CheckRunEntity, { hostId });
}

const TAKE_LEASE = `lease = lease + 1, leased_at = clock_timestamp(), leased_until = now() + ${LEASE_DURATION}`;

/** Leases a check that is free. Returns null if another node holds it. That node then checks it once more. */
export async function leaseCheck(em: EntityManager, id: string): Promise<CheckRun | null> {
  await wake(em, "id", id);
  const rows: object[] = await em.execute(
    `update scm.check_run set ${TAKE_LEASE}
     where id = ? and (leased_until is null or leased_until < now()) returning id`,
    [id],
  );
  return rows.length > 0 ? em.findOneOrFail(CheckRunEntity, { id }) : null;
}

/** A leased check, and its lane. */
export type DueCheck = { check: CheckRun } & Lane;

/** Leases due checks: the longest overdue one of each code host and team, outside of full lanes. */
export async function leaseDueChecks(em: EntityManager, full: FullLanes): Promise<DueCheck[]> {
  const rows = await leaseLanes<{ id: string }>(
    em,
    {
      table: "scm.check_run",
      set: TAKE_LEASE,
      where: "next_check_at <= now() and (leased_until is null or leased_until < now())",
      dueAt: "next_check_at",
    },
    full,
  );
  const checks = await em.find(CheckRunEntity, { id: { $in: rows.map(({ id }) => id) } });
  const byId = new Map(checks.map(check => [check.id, check]));
  return rows.flatMap(({ id, ...lane }) => {
    const check = byId.get(id);
    return check ? { check, ...lane } : [];
  });
}

/** Makes the check of a run due now. A check under lease is checked once more. @returns whether there is one */
export async function wakeCheckOfRun(em: EntityManager, runId: string): Promise<boolean> {
  return wake(em, "run_id", runId);
}

async function wake(em: EntityManager, column: "id" | "run_id", value: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update scm.check_run set next_check_at = now(), wake_at = clock_timestamp() where ${column} = ? returning id`,
    [value],
  );
  return rows.length > 0;
}

/** The fields that an advance of a check can change. */
export type CheckChanges = Partial<
  Pick<CheckRun, "hostId" | "runId" | "conclusion" | "lastReportedDigest" | "note" | "failures">
>;

/** Saves changes to a leased check. @returns false if the lease or the attempt is no longer the caller's */
export async function updateCheck(
  em: EntityManager,
  { id, attempt, lease }: CheckRun,
  changes: CheckChanges,
): Promise<boolean> {
  return (await em.nativeUpdate(CheckRunEntity, { id, attempt, lease }, changes)) > 0;
}

/** Returns whether a later attempt of a check was started meanwhile. */
export async function hasLaterAttempt(em: EntityManager, { id, attempt }: CheckRun): Promise<boolean> {
  return (await em.count(CheckRunEntity, { id, attempt: { $gt: attempt } })) > 0;
}

/** Sets the note that a check run shows first. It lasts as long as the attempt. */
export async function putNote(
  em: EntityManager,
  { id, attempt }: CheckRun,
  note: string | null,
): Promise<void> {
  await em.nativeUpdate(CheckRunEntity, { id, attempt }, { note });
}

/** Makes the next holder report the check again. The current holder may have reported before a newer one. */
export async function reportAgain(em: EntityManager, { id }: CheckRun): Promise<void> {
  await em.execute(
    "update scm.check_run set last_reported_digest = null, next_check_at = now(), lease = lease + 1, leased_until = null where id = ?",
    [id],
  );
}

/** Extends the lease of a check, if the caller still holds it. */
export async function renewLease(em: EntityManager, { id, lease }: CheckRun): Promise<void> {
  await em.execute(
    `update scm.check_run set leased_until = now() + ${LEASE_DURATION}
     where id = ? and lease = ? and leased_until is not null`,
    [id, lease],
  );
}

/** Releases a leased check, if the caller still holds it. @param nextCheckInMs null for no next check */
export async function releaseCheck(
  em: EntityManager,
  { id, attempt, lease }: CheckRun,
  nextCheckInMs: number | null,
): Promise<void> {
  await em.execute(
    `update scm.check_run set leased_until = null,
       next_check_at = case when wake_at > leased_at or attempt <> ? then now() else now() + make_interval(secs => ?) end
     where id = ? and lease = ?`,
    [attempt, nextCheckInMs === null ? null : nextCheckInMs / 1_000, id, lease],
  );
}

/**
 * Saves the pull request of a run from before it was opened. The next holder reports the check again, with a comment.
 * @returns false if the check has a pull request
 */
export async function addPullToCheck(
  em: EntityManager,
  { id }: CheckRun,
  pull: NonNullable<CheckRun["pull"]>,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update scm.check_run set pull = ?::jsonb, last_reported_digest = null, lease = lease + 1, leased_until = null,
       next_check_at = now()
     where id = ? and pull is null and run_id is not null returning id`,
    [JSON.stringify(pull), id],
  );
  return rows.length > 0;
}

/**
 * Saves the new base of a pull request in the commit's check. Another pull request at the commit has no check. A run
 * whose response is still missing is of the old base, so the next submission is another attempt.
 */
export async function retargetCheck(
  em: EntityManager,
  { repoId, sha }: Pick<CheckRun, "repoId" | "sha">,
  pull: NonNullable<CheckRun["pull"]>,
): Promise<void> {
  await em.execute(
    `update scm.check_run set pull = ?::jsonb,
       attempt = case when run_id is null and conclusion is null and pull ->> 'base' <> ? then attempt + 1 else attempt end
     where repo_id = ? and sha = ? and pull ->> 'number' = ?`,
    [JSON.stringify(pull), pull.base, repoId, sha, String(pull.number)],
  );
}

/** The fields that a new attempt sets. */
interface NextAttempt extends Preview {
  /** The repository's default branch. It may have changed since the pull request was opened. */
  defaultBranch?: string;
  /** Whether an open attempt can be replaced. Only the check's holder may set this. */
  mayBeOpen?: boolean;
}

/** Starts a check's next attempt. Of several concurrent callers, only the first succeeds. */
export async function startAttempt(
  em: EntityManager,
  check: CheckRun,
  { previewUrl, fromTemplate, defaultBranch, mayBeOpen = false }: NextAttempt,
): Promise<boolean> {
  const known = JSON.stringify(defaultBranch === undefined ? {} : { defaultBranch });
  const rows: object[] = await em.execute(
    `update scm.check_run set attempt = attempt + 1, run_id = null, conclusion = null, outcome = null, note = null,
       last_reported_digest = null, failures = 0, preview_url = ?, from_template = ?, pull = pull || ?::jsonb,
       deadline_at = now() + ${ATTEMPT_TIMEOUT}, next_check_at = now()
     where id = ? and attempt = ? and (conclusion is not null or ?) returning id`,
    [previewUrl, fromTemplate, known, check.id, check.attempt, mayBeOpen],
  );
  return rows.length > 0;
}

/**
 * Moves the check of a build, or of a connected repository's commit, to a later run of the same commit. CI jobs submit
 * such runs again. @returns false if it has that one, or a later one
 */
export async function followLaterRun(
  em: EntityManager,
  { id, installationId }: CheckRun,
  { runId, previewUrl }: Pick<CheckRun, "runId" | "previewUrl">,
): Promise<boolean> {
  // Ids of runs are sortable by time.
  const rows: object[] = await em.execute(
    `update scm.check_run set attempt = attempt + 1, run_id = ?, conclusion = null, outcome = null, note = null,
       last_reported_digest = null, failures = 0, preview_url = ?, deadline_at = now() + ${ATTEMPT_TIMEOUT},
       next_check_at = now()
     where id = ? and (name <> '' or team_id is not null and ?) and run_id < ? returning id`,
    [runId, previewUrl, id, isConnection(installationId), runId],
  );
  return rows.length > 0;
}

/**
 * Saves the outcome that the Cloud API reported, if it is of the check's run. Any team's run can name the check. If the
 * check has no run yet, the advance in progress submits it and reads its state.
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

/** Returns whether the deadline of a check's attempt has passed. */
export async function isOverdue(em: EntityManager, { id }: CheckRun): Promise<boolean> {
  const rows: object[] = await em.execute("select from scm.check_run where id = ? and deadline_at <= now()", [
    id,
  ]);
  return rows.length > 0;
}

/** Deletes checks that are older than any plan keeps runs. */
export async function deleteOldChecks(em: EntityManager): Promise<void> {
  await em.execute("delete from scm.check_run where created_at < now() - interval '100 days'");
}

/** The runs of a team that checked a pull request. */
interface CheckingRuns {
  /** Null stands for the app's team. */
  teamId: string | null;
  runIds: string[];
}

/** Finds the runs that checked a pull request, by their teams. */
export function findCheckingRuns(
  em: EntityManager,
  { repoId, number }: { repoId: string; number: number },
): Promise<CheckingRuns[]> {
  return em.execute(
    `select team_id as "teamId",
       coalesce(jsonb_agg(run_id order by run_id) filter (where run_id is not null), '[]') as "runIds"
     from scm.check_run where repo_id = ? and pull ->> 'number' = ? group by team_id`,
    [repoId, String(number)],
  );
}

/** Stops the next checks of a deleted installation. */
export async function abandonChecks(em: EntityManager, installationId: string): Promise<void> {
  await em.nativeUpdate(CheckRunEntity, { installationId }, { nextCheckAt: null });
}
