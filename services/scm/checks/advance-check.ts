import { createHash } from "node:crypto";
import { isEnded } from "../../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { startPeriodicTask } from "../../../shared/periodic-task.ts";
import { isFinal } from "../cloud-api/cloud-api.ts";
import { isContentRefused, isRefused } from "../code-host/host-error.ts";
import type { CheckChange } from "../code-host/repository-checks.ts";
import type { RepositoryHost } from "../code-host/repository-host.ts";
import { writeComment } from "../pull-requests/write-comment.ts";
import { repositoryOf, type ScmContext } from "../scm-context.ts";
import { CHECK_TEXTS, CONFIGURATION_ERRORS, LOG_MESSAGES } from "../texts.ts";
import {
  type CheckChanges,
  claimDueChecks,
  FIRST_CLAIM,
  isOverdue,
  releaseCheck,
  renewClaim,
  tellAnew,
  updateCheck,
} from "./check.store.ts";
import type { CheckRun } from "./check-run.entity.ts";
import { type CheckState, nextLookMs, nextTryMs } from "./check-state.rule.ts";
import { describeCheck, describeCheckBriefly } from "./describe-check.ts";
import { readConfig } from "./read-config.ts";
import { readScm } from "./read-scm.ts";
import { nextPreview, restartCheck } from "./restart-check.ts";

/** The Cloud API did not take a check's run; `final`: nor will it. */
export class SubmitError extends Error {
  readonly final: boolean;

  constructor(error: unknown) {
    super(messageOf(error));
    this.name = "SubmitError";
    this.final = isFinal(error);
  }
}

/** Somebody else looks at the check by now, or began its next attempt. */
class ClaimLost extends Error {}

/** Well within a claim: one renewal may fail. */
const RENEWED_EVERY_MS = 20_000;

/**
 * Does what is next for a claimed check: makes it at the code host, submits its run, says how far that is, closes it.
 * Lets it go then, to be looked at again when there may be more to do.
 * @throws HostError; SubmitError, with what is to be done about it written down
 */
export async function advanceCheck(context: ScmContext, check: CheckRun): Promise<void> {
  // Where many wait for the code host, one request may take longer than a claim.
  const renewal = { intervalMs: RENEWED_EVERY_MS, work: () => renewClaim(context.em(), check) };
  const renewing = startPeriodicTask({ ...renewal, failed: LOG_MESSAGES.leaseNotRenewed }, context.warn);
  let next: number | null = nextTryMs(check.tries);
  try {
    const repository = await repositoryOf(context, check);
    check.hostId ??= await openCheck(context, repository, check);
    let state = await stateOf(context, check);
    const preview = nextPreview(context, check, state);
    if (preview && (await restartCheck(context, check, state, preview))) state = { kind: "waiting" };
    if (state.kind === "waiting") {
      await submitRun(context, repository, check);
      state = await stateOf(context, check);
    }
    const told = await tell(context, repository, check, state);
    if (check.tries > 0) await writeDown(context, check, { tries: 0 });
    next = told ? lookAgainInMs(check) : nextTryMs(0);
  } catch (error) {
    // What this told the code host may have got there after what the other did.
    if (error instanceof ClaimLost) return await tellAnew(context.em(), check);
    // Nobody can say it where it belongs: the app may not. An event that names the commit tries again.
    if (isRefused(error) && check.hostId === null) next = null;
    else if (await isOverdue(context.em(), check))
      next = check.conclusion === null ? await giveUp(context, check) : lookAgainInMs(check);
    await updateCheck(context.em(), check, { tries: check.tries + 1 });
    throw error;
  } finally {
    await renewing.stop();
    await releaseCheck(context.em(), check, next);
  }
}

function lookAgainInMs({ conclusion, createdAt }: CheckRun): number | null {
  return nextLookMs(conclusion, Date.now() - createdAt.getTime());
}

/** @throws ClaimLost */
async function writeDown(context: ScmContext, check: CheckRun, changes: CheckChanges): Promise<void> {
  if (!(await updateCheck(context.em(), check, changes))) throw new ClaimLost();
}

const AT_ONCE = 5;

/** Advances every check that is due. */
export async function advanceDueChecks(context: ScmContext, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await claimDueChecks(context.em(), AT_ONCE);
    const each = due.map(check =>
      advanceCheck(context, check).catch(error =>
        context.warn(error, LOG_MESSAGES.delayed(check.owner, check.repo)),
      ),
    );
    await Promise.all(each);
    if (due.length < AT_ONCE) return;
  }
}

/** Makes the check at the code host, where it is not there already: an answer may have got lost. */
async function openCheck(context: ScmContext, repository: RepositoryHost, check: CheckRun): Promise<string> {
  const { output } = describeCheck(check, { kind: check.mergeGroup ? "grouped" : "waiting" });
  const before = check.claim > FIRST_CLAIM ? await repository.checks.find(check.sha, check.id) : null;
  const hostId = before ?? (await repository.checks.create({ sha: check.sha, externalId: check.id, output }));
  await writeDown(context, check, { hostId });
  return hostId;
}

/** What the repository wants to have checked; null when the check has ended because of it. @throws HostError */
async function configured(context: ScmContext, repository: RepositoryHost, check: CheckRun) {
  try {
    const config = await readConfig(repository, check);
    if ("run" in config) return config.run;
    await tell(context, repository, check, { kind: "misconfigured", ...config });
  } catch (error) {
    if (!isRefused(error)) throw error;
    const reason = CONFIGURATION_ERRORS.noAccess(messageOf(error));
    await tell(context, repository, check, { kind: "refused", reason });
  }
  return null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws SubmitError, HostError */
async function submitRun(context: ScmContext, repository: RepositoryHost, check: CheckRun): Promise<void> {
  const config = await configured(context, repository, check);
  if (config === null) return;
  const scm = await readScm(repository, check, config.baselineBranch);
  try {
    const rerun = check.attempt > 1 ? { rerun: true as const } : {};
    check.runId = await context
      .cloudOf(check.teamId)
      .submit({ url: check.previewUrl, ...config, scm, ...rerun }, `${check.id}_${check.attempt}`);
  } catch (error) {
    const failure = new SubmitError(error);
    if (failure.final) await tell(context, repository, check, { kind: "refused", reason: failure.message });
    else
      await writeDown(context, check, {
        note: CHECK_TEXTS.notAccepted(failure.message.slice(0, 500)),
      });
    throw failure;
  }
  check.note = null;
  await writeDown(context, check, { runId: check.runId, note: null });
}

async function stateOf(context: ScmContext, check: CheckRun): Promise<CheckState> {
  if (check.mergeGroup) return { kind: "grouped" };
  if (check.runId === null) return { kind: check.conclusion === null ? "waiting" : "gone" };
  const run = await readRun(context, check, check.runId);
  if (run && isEnded(run.status))
    return { kind: "settled", run, screenshots: await context.cloudOf(check.teamId).screenshots(run.id) };
  if (check.outcome) return { kind: "told", outcome: check.outcome };
  if (!run) return { kind: "gone" };
  return (await isOverdue(context.em(), check)) ? { kind: "overdue" } : { kind: "running", run };
}

/** What the Cloud API told goes for a run that it does not let us read. */
async function readRun(context: ScmContext, check: CheckRun, runId: string): Promise<RunView | null> {
  try {
    return await context.cloudOf(check.teamId).run(runId);
  } catch (error) {
    if (check.outcome) return null;
    throw error;
  }
}

/** Has the code host show a state, if that is news. @returns false when the comment is still to be written */
async function tell(
  context: ScmContext,
  repository: RepositoryHost,
  check: CheckRun,
  state: CheckState,
): Promise<boolean> {
  const { conclusion, hostId } = check;
  // A run that was deleted long after it ended is no news.
  if (hostId === null || (state.kind === "gone" && conclusion !== null)) return true;
  const change = describeCheck(check, state);
  const digest = createHash("sha256").update(JSON.stringify(change)).digest("hex");
  if (digest === check.told) return true;
  const shown = await show(context, repository, hostId, { change, state });
  if (shown.error === null) {
    check.conclusion = change.conclusion;
    await writeDown(context, check, { conclusion: change.conclusion });
  }
  // Only its holder may write the comment, whatever became of the check.
  else await writeDown(context, check, { tries: check.tries });
  const isWritten = await writeComment(context, repository, check, state);
  if (shown.error !== null) throw shown.error;
  if (!isWritten) return false;
  await writeDown(context, check, { told: digest });
  return true;
}

/** Changes the check run; where the code host does not take the whole, says the least at once. @returns why neither went */
async function show(
  context: ScmContext,
  repository: RepositoryHost,
  hostId: string,
  { change, state }: { change: CheckChange; state: CheckState },
): Promise<{ error: unknown }> {
  try {
    await repository.checks.change(hostId, change).catch(async error => {
      if (!isContentRefused(error)) throw error;
      context.warn(error, LOG_MESSAGES.detailsRejected(hostId));
      await repository.checks.change(hostId, describeCheckBriefly(change, state));
    });
    return { error: null };
  } catch (error) {
    return { error };
  }
}

/** Ends a check of which nothing came for too long. @returns when to try again, should that not go either */
async function giveUp(context: ScmContext, check: CheckRun): Promise<number | null> {
  try {
    await tell(context, await repositoryOf(context, check), check, {
      kind: check.mergeGroup ? "grouped" : "overdue",
    });
    return null;
  } catch (error) {
    context.warn(error, LOG_MESSAGES.notCompleted(check.owner, check.repo));
    return isRefused(error) ? null : nextTryMs(check.tries);
  }
}
