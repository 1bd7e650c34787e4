import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { nameOfRun } from "../checks/check-name.rule.ts";
import { failureBackoffMs } from "../checks/check-state.rule.ts";
import { type Commit, ensureCheck } from "../checks/start-check.ts";
import type { OpenPull, PullHead, RepositoryHost, RepositoryName } from "../code-host/code-host.ts";
import { isRefused } from "../code-host/host-error.ts";
import { type Connection, findConnectionOf } from "../connections/connection.store.ts";
import { isConnection } from "../connections/connection-id.ts";
import { type LaneWork, workInLanes } from "../lanes/lanes.ts";
import { putPull } from "../pull-requests/pull.store.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import {
  type ExternalRun,
  finishExternalRun,
  leaseExternalRuns,
  postponeExternalRun,
  requestExternalRun,
} from "./external-run.store.ts";
import { findForwardedOf, isForwarded } from "./forwarded-run.store.ts";
import { isSameRepository } from "./same-repository.rule.ts";

/** Reports all due external runs. A run that cannot be reported now is retried with a backoff. */
export async function reportDueExternalRuns(context: ScmContext, signal?: AbortSignal): Promise<void> {
  const runs: LaneWork<ExternalRun> = {
    lease: full => leaseExternalRuns(context.em(), full),
    work: run => reportLeasedRun(context, run),
    failed: (error, { runId }) => context.warn(error, LOG_MESSAGES.notReported(runId)),
  };
  await workInLanes(runs, signal);
}

async function reportLeasedRun(context: ScmContext, run: ExternalRun): Promise<void> {
  const { runId, teamId, attempts } = run;
  try {
    await reportExternalRun(context, runId, teamId);
    await finishExternalRun(context.em(), run);
  } catch (error) {
    context.warn(error, LOG_MESSAGES.notReported(runId));
    if (isRefused(error)) await finishExternalRun(context.em(), run);
    else await postponeExternalRun(context.em(), run, failureBackoffMs(attempts));
  }
}

/**
 * Reports an external run, such as one of the deployment platform's integration, on its pull request. It gets a check
 * of its own if the commit has none. The app must be installed there, and the pull request must be at that commit.
 * @param teamId the run's team, or null for the app's team. For another team, only forwarded runs are reported
 * @throws HostError
 */
export async function reportExternalRun(
  context: ScmContext,
  runId: string,
  teamId: string | null = null,
): Promise<void> {
  const run = await context.cloudOf(teamId).run(runId);
  // A canceled run has no result.
  if (!run?.scm || run.status === "canceled") return;
  const connection = teamId === null ? null : await findConnectionOf(context.em(), teamId, run.scm);
  if (connection) return reportConnectedRun(context, run, connection);
  if (!(await isReported(context, run, teamId))) return;
  const { owner, repo } = run.scm;
  const installationId = await context.host.installationOf({ owner, repo });
  if (installationId === null) return;
  const repository = await context.host.repository({ installationId, owner, repo });
  const { id: repoId, page } = await repository.read();
  const pull = await pullOf(repository, run);
  if (!pull) return;
  await putPull(context.em(), { repoId, owner, repo }, pull, true);
  const { sha, updatedAt: _updatedAt, ...rest } = pull;
  const by = { previewUrl: run.url, fromTemplate: false, runId, teamId, name: nameOfRun(run) };
  await ensureCheck(context, { installationId, repoId, owner, repo, page, sha }, rest, by);
}

/** Returns the open pull request of a run, by its number or its branch. */
async function pullOf(repository: RepositoryHost, { scm, branch }: RunView): Promise<OpenPull | null> {
  const pulls = await repository.pullsAt(scm?.sha.toLowerCase() ?? "");
  if (scm?.pr !== undefined) return pulls.find(({ number }) => number === scm.pr) ?? null;
  return pulls.find(pull => pull.branch === branch) ?? pulls[0] ?? null;
}

/** Reports a run of a connected repository on its commit. A commit without a merge request gets its status too. */
async function reportConnectedRun(
  context: ScmContext,
  run: RunView,
  { id, teamId, owner, repo }: Connection,
): Promise<void> {
  // Its check exists already: the service submitted it.
  if (!run.scm || run.scm.checkRunId !== undefined) return;
  const repository = await context.host.repository({ installationId: id, owner, repo });
  const { id: repoId, page } = await repository.read();
  const found = await pullOf(repository, run);
  if (found) await putPull(context.em(), { repoId, owner, repo }, found, true);
  const by = { previewUrl: run.url, fromTemplate: false, runId: run.id, name: nameOfRun(run) };
  const commit = { installationId: id, repoId, owner, repo, page, sha: run.scm.sha.toLowerCase(), teamId };
  if (!found) return void (await ensureCheck(context, commit, null, by));
  const { sha: _sha, updatedAt: _updatedAt, ...pull } = found;
  await ensureCheck(context, commit, pull, by);
}

/** The commit that a pull request opens with is among the latest of its branch. */
const RUNS_PER_BRANCH = 20;

/** Members of other teams can name any repository in their runs, so only forwarded runs count. */
async function isReported(
  { em }: Pick<ScmContext, "em">,
  { url, scm, source }: RunView,
  teamId: string | null,
): Promise<boolean> {
  if (teamId === null) return true;
  // The integration forwards no builds.
  if (source === "upload") return false;
  return scm !== null && isForwarded(em(), { teamId, url, commit: scm });
}

/** A run and its team. The team is null for the app's. */
interface EarlierRun {
  run: RunView;
  teamId: string | null;
}

/**
 * Returns a run of a commit from before its pull request was opened, or null. Platforms deploy a branch before it has a
 * pull request.
 */
export async function findEarlierRun(
  context: ScmContext,
  commit: Commit,
  pull: Omit<PullHead, "sha">,
): Promise<EarlierRun | null> {
  const ofCommit = { teamId: commit.teamId ?? null, owner: commit.owner, repo: commit.repo };
  // Another team can name this repository in its runs, but it has no connection to it.
  const others = commit.teamId === undefined ? await findForwardedOf(context.em(), commit) : [];
  for (const of of [ofCommit, ...others]) {
    const run = await earlierRunOf(
      context,
      { ...of, isConnected: commit.teamId !== undefined },
      commit.sha,
      pull,
    );
    if (run) return { run, teamId: of.teamId };
  }
  return null;
}

/** Requests reports of builds from before their pull request was opened. Each of them has a check of its own. */
export async function requestEarlierBuilds(
  context: ScmContext,
  { installationId, owner, repo, sha, teamId }: Commit,
  { branch }: Pick<PullHead, "branch">,
): Promise<void> {
  const runs = await context
    .cloudOf(teamId ?? null)
    .latestRuns({ branch, limit: RUNS_PER_BRANCH })
    .catch(error => {
      context.warn(error, LOG_MESSAGES.runsNotRead);
      return [];
    });
  const isEarlier = ({ source, scm, completedAt }: RunView) =>
    source === "upload" &&
    completedAt !== null &&
    scm?.owner === owner &&
    scm.repo === repo &&
    scm.sha.toLowerCase() === sha;
  const of = {
    teamId: teamId ?? null,
    ...(isConnection(installationId) && { connectionId: installationId }),
  };
  for (const { id } of runs.filter(isEarlier)) await requestExternalRun(context.em(), id, of);
}

async function earlierRunOf(
  context: ScmContext,
  { teamId, owner, repo, isConnected }: { teamId: string | null; isConnected: boolean } & RepositoryName,
  sha: string,
  { number, branch }: Omit<PullHead, "sha">,
): Promise<RunView | null> {
  // The runs of a connected repository can have any project.
  const of = { ...(!isConnected && { project: `${owner}/${repo}` }), branch, limit: RUNS_PER_BRANCH };
  const runs = await context
    .cloudOf(teamId)
    .latestRuns(of)
    .catch(error => {
      context.warn(error, LOG_MESSAGES.runsNotRead);
      return [];
    });
  const isOfPull = ({ scm, status, source }: RunView) =>
    source === "capture" &&
    scm !== null &&
    isSameRepository(scm, { owner, repo }) &&
    scm.sha.toLowerCase() === sha &&
    (scm.pr ?? number) === number &&
    status !== "canceled";
  for (const run of runs.filter(isOfPull))
    if (isConnected || (await isReported(context, run, teamId))) return run;
  return null;
}
