import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { nextTryMs } from "../checks/check-state.rule.ts";
import { beginCheck, type Commit } from "../checks/start-check.ts";
import { isRefused } from "../code-host/host-error.ts";
import type { RepositoryName } from "../code-host/repository-access.ts";
import type { PullHead } from "../code-host/repository-host.ts";
import { putPull } from "../pull-requests/pull.store.ts";
import { installationOf, repositoryOf, type ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import {
  type ExternalRun,
  finishExternalRun,
  leaseExternalRuns,
  postponeExternalRun,
  requestMissedRuns,
} from "./external-run.store.ts";
import { findForwardedOf, findForwardingTeams, isForwarded } from "./forwarded-run.store.ts";

const AT_ONCE = 5;

/** Reports the runs that are to be, those of others; what keeps one from being reported now, it waits for. */
export async function reportDueExternalRuns(context: ScmContext, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await leaseExternalRuns(context.em(), AT_ONCE);
    await Promise.all(due.map(externalRun => adoptInTurn(context, externalRun)));
    if (due.length < AT_ONCE) return;
  }
}

async function adoptInTurn(context: ScmContext, { runId, teamId, tries }: ExternalRun): Promise<void> {
  try {
    await reportExternalRun(context, runId, teamId);
    await finishExternalRun(context.em(), runId);
  } catch (error) {
    context.warn(error, LOG_MESSAGES.notReported(runId));
    if (isRefused(error)) await finishExternalRun(context.em(), runId);
    else await postponeExternalRun(context.em(), runId, nextTryMs(tries));
  }
}

/** Within the time for which it is known which runs were looked at. */
const MISSED_WITHIN_MS = 24 * 3_600_000;
/** Of what ends between two looks; the API lists no more at once. */
const RUNS_AT_ONCE = 100;

/** Has runs reported that have ended and of which nobody told: an event may get lost, with the node that was to tell. */
export async function findMissedRuns(context: ScmContext): Promise<void> {
  const since = Date.now() - MISSED_WITHIN_MS;
  // The app's own have their checks.
  const isMissed = ({ scm, completedAt }: RunView) =>
    scm && scm.checkRunId === undefined && completedAt !== null && Date.parse(completedAt) > since;
  for (const teamId of [null, ...(await findForwardingTeams(context.em()))])
    for (const status of ["completed", "failed"] as const) {
      const runs = await context.cloudOf(teamId).latestRuns({ status, limit: RUNS_AT_ONCE });
      const ids = runs.filter(isMissed).map(({ id }) => id);
      await requestMissedRuns(context.em(), ids, teamId);
    }
}

/**
 * Reports a run on its pull request that somebody else submitted, such as the deployment platform's integration: as a
 * check of its own, if the commit has none, the app is installed there and the pull request is at that commit.
 * @param teamId whose run it is, null for the app's team: of another team only what the integration forwarded
 * @throws HostError
 */
export async function reportExternalRun(
  context: ScmContext,
  runId: string,
  teamId: string | null = null,
): Promise<void> {
  const run = await context.cloudOf(teamId).run(runId);
  // One that was canceled says nothing of the commit.
  if (!run?.scm || run.status === "canceled") return;
  if (!(await isReported(context, run, teamId))) return;
  const { owner, repo } = run.scm;
  const installationId = await installationOf(context, { owner, repo });
  if (installationId === null) return;
  const repository = await repositoryOf(context, { installationId, owner, repo });
  const { id: repoId, page } = await repository.read();
  const pulls = await repository.pullsAt(run.scm.sha.toLowerCase());
  const found = pulls.find(({ branch }) => branch === run.branch) ?? pulls[0];
  const pull = run.scm.pr === undefined ? found : pulls.find(({ number }) => number === run.scm?.pr);
  if (!pull) return;
  await putPull(context.em(), { repoId, owner, repo }, pull, true);
  const { sha, updatedAt: _updatedAt, ...rest } = pull;
  const by = { previewUrl: run.url, fromTemplate: false, runId, teamId };
  await beginCheck(context, { installationId, repoId, owner, repo, page, sha }, rest, by);
}

/** A commit that a pull request is opened at is among the latest of its branch. */
const RUNS_OF_A_BRANCH = 20;

/** Members of other teams name whatever repository they like in the runs that they submit. */
async function isReported(
  { em }: Pick<ScmContext, "em">,
  { url, scm }: RunView,
  teamId: string | null,
): Promise<boolean> {
  if (teamId === null) return true;
  return scm !== null && isForwarded(em(), { teamId, url, commit: scm });
}

/** A run with the team that it is of; null for the app's. */
interface EarlierRun {
  run: RunView;
  teamId: string | null;
}

/** A run of a commit from before its pull request was opened: branches are deployed first. Null for none. */
export async function findEarlierRun(
  context: ScmContext,
  commit: Commit,
  pull: Omit<PullHead, "sha">,
): Promise<EarlierRun | null> {
  const ofApp = { teamId: null, owner: commit.owner, repo: commit.repo };
  for (const of of [ofApp, ...(await findForwardedOf(context.em(), commit))]) {
    const run = await earlierRunOf(context, of, commit.sha, pull);
    if (run) return { run, teamId: of.teamId };
  }
  return null;
}

async function earlierRunOf(
  context: ScmContext,
  { teamId, owner, repo }: { teamId: string | null } & RepositoryName,
  sha: string,
  { number, branch }: Omit<PullHead, "sha">,
): Promise<RunView | null> {
  const of = { project: `${owner}/${repo}`, branch, limit: RUNS_OF_A_BRANCH };
  const runs = await context
    .cloudOf(teamId)
    .latestRuns(of)
    .catch(error => {
      context.warn(error, LOG_MESSAGES.runsNotRead);
      return [];
    });
  const isOfPull = ({ scm, status }: RunView) =>
    scm?.sha.toLowerCase() === sha && (scm.pr ?? number) === number && status !== "canceled";
  for (const run of runs.filter(isOfPull)) if (await isReported(context, run, teamId)) return run;
  return null;
}
