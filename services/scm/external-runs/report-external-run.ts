import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { nameOfRun } from "../checks/check-name.rule.ts";
import { failureBackoffMs } from "../checks/check-state.rule.ts";
import { type Commit, ensureCheck } from "../checks/start-check.ts";
import type { OpenPull, PullHead, RepositoryHost, RepositoryName } from "../code-host/code-host.ts";
import { isRefused } from "../code-host/host-error.ts";
import {
  type Connection,
  findConnectedTeams,
  findConnectionOf,
  findConnections,
} from "../connections/connection.store.ts";
import { putPull } from "../pull-requests/pull.store.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import {
  type ExternalRun,
  finishExternalRun,
  leaseExternalRuns,
  postponeExternalRun,
  requestExternalRun,
  requestMissedRuns,
} from "./external-run.store.ts";
import { findForwardedOf, findForwardingTeams, isForwarded } from "./forwarded-run.store.ts";

const BATCH_SIZE = 5;

/** Reports all due external runs. A run that cannot be reported now is retried with a backoff. */
export async function reportDueExternalRuns(context: ScmContext, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await leaseExternalRuns(context.em(), BATCH_SIZE);
    await Promise.all(due.map(externalRun => reportLeasedRun(context, externalRun)));
    if (due.length < BATCH_SIZE) return;
  }
}

async function reportLeasedRun(context: ScmContext, { runId, teamId, attempts }: ExternalRun): Promise<void> {
  try {
    await reportExternalRun(context, runId, teamId);
    await finishExternalRun(context.em(), runId);
  } catch (error) {
    context.warn(error, LOG_MESSAGES.notReported(runId));
    if (isRefused(error)) await finishExternalRun(context.em(), runId);
    else await postponeExternalRun(context.em(), runId, failureBackoffMs(attempts));
  }
}

/** Shorter than the retention of external runs, so that none is reported twice. */
const MISSED_RUN_PERIOD_MS = 24 * 3_600_000;
/** The runs that may end between two searches. The API lists no more per request. */
const RUNS_PER_REQUEST = 100;

/** The number of teams whose missed runs of connected repositories are looked for. */
const MAX_CONNECTED_TEAMS = 100;

/** Requests reports of ended runs whose event was lost, for example with the node that should have sent it. */
export async function findMissedRuns(context: ScmContext): Promise<void> {
  // First, because the app's team can have connections too. A run is requested only once.
  for (const teamId of await findConnectedTeams(context.em(), MAX_CONNECTED_TEAMS)) {
    const connections = await findConnections(context.em(), teamId);
    await findMissedOf(context, teamId, ({ scm }) =>
      connections.some(each => scm && isSameRepository(each, scm)),
    );
  }
  if (!context.hasApp) return;
  for (const teamId of [null, ...(await findForwardingTeams(context.em()))])
    await findMissedOf(context, teamId, () => true);
}

async function findMissedOf(
  context: ScmContext,
  teamId: string | null,
  isOfRepository: (run: RunView) => boolean,
): Promise<void> {
  const since = Date.now() - MISSED_RUN_PERIOD_MS;
  // The app's own runs have their checks.
  const isMissed = ({ scm, completedAt }: RunView) =>
    scm && scm.checkRunId === undefined && completedAt !== null && Date.parse(completedAt) > since;
  for (const status of ["completed", "failed"] as const) {
    const runs = await context.cloudOf(teamId).latestRuns({ status, limit: RUNS_PER_REQUEST });
    const ids = runs.filter(run => isMissed(run) && isOfRepository(run)).map(({ id }) => id);
    await requestMissedRuns(context.em(), ids, teamId);
  }
}

function isSameRepository(one: RepositoryName, other: RepositoryName): boolean {
  return (
    one.owner.toLowerCase() === other.owner.toLowerCase() &&
    one.repo.toLowerCase() === other.repo.toLowerCase()
  );
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
  { owner, repo, sha, teamId }: Commit,
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
  for (const { id } of runs.filter(isEarlier)) await requestExternalRun(context.em(), id, teamId ?? null);
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
