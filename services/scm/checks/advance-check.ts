import { createHash } from "node:crypto";
import { isEnded } from "../../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { startPeriodicTask } from "../../../shared/periodic-task.ts";
import { cut, type TextLimit } from "../../../shared/text/text-limits.ts";
import { isFinal, publicMessageOf } from "../cloud-api/cloud-api.ts";
import type { CheckChange, NamedCheck, RepositoryHost } from "../code-host/code-host.ts";
import { isContentRefused, isRefused } from "../code-host/host-error.ts";
import { findConnectedProject } from "../connections/connection.store.ts";
import { type LaneWork, workInLanes } from "../lanes/lanes.ts";
import { writeComment } from "../pull-requests/write-comment.ts";
import type { ScmContext } from "../scm-context.ts";
import { CHECK_TEXTS } from "../texts/comments.ts";
import { CONFIGURATION_ERRORS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import {
  type CheckChanges,
  FIRST_LEASE,
  hasLaterAttempt,
  isOverdue,
  leaseDueChecks,
  releaseCheck,
  renewLease,
  reportAgain,
  updateCheck,
} from "./check.store.ts";
import { checkNameOf } from "./check-name.rule.ts";
import type { CheckRun } from "./check-run.entity.ts";
import { type CheckState, failureBackoffMs, nextCheckMs } from "./check-state.rule.ts";
import { describeCheck, describeCheckBriefly } from "./describe-check.ts";
import { readConfig } from "./read-config.ts";
import { readScm } from "./read-scm.ts";
import { cancelOwn, nextPreview, restartCheck } from "./restart-check.ts";

/** The Cloud API did not accept a check's run. Anyone can read the message. `final` means that a retry cannot succeed. */
export class SubmitError extends Error {
  readonly final: boolean;

  constructor(error: unknown) {
    super(publicMessageOf(error) ?? CHECK_TEXTS.notResponding, { cause: error });
    this.name = "SubmitError";
    this.final = isFinal(error);
  }
}

/** Another node holds the check by now, or started its next attempt. */
class LeaseLost extends Error {}

/** Well within a lease, so that one renewal may fail. */
const RENEWAL_INTERVAL_MS = 20_000;
const NOTE_LIMIT: TextLimit = { max: 500, unit: "utf16" };

/**
 * Advances a leased check: creates the check run, submits its run, reports progress, and closes it. Then releases the
 * check, and sets the time of the next one.
 * @param overdue ends the renewal of the lease, so that another node continues
 * @throws HostError; SubmitError after the reason was saved
 */
export async function advanceCheck(
  context: ScmContext,
  check: CheckRun,
  overdue?: AbortSignal,
): Promise<void> {
  // With many requests queued for the code host, one may take longer than a lease.
  const renewal = {
    intervalMs: RENEWAL_INTERVAL_MS,
    work: async () => (overdue?.aborted ? undefined : renewLease(context.em(), check)),
  };
  const renewing = startPeriodicTask({ ...renewal, failed: LOG_MESSAGES.leaseNotRenewed }, context.warn);
  let next: number | null = failureBackoffMs(check.failures);
  try {
    const repository = await context.host.repository(check);
    check.hostId ??= await openCheckRun(context, repository, check);
    let state = await stateOf(context, check);
    const preview = await nextPreview(context, check, state);
    if (preview && (await restartCheck(context, check, state, preview))) state = { kind: "waiting" };
    if (state.kind === "waiting") {
      await submitRun(context, repository, check);
      state = await stateOf(context, check);
    }
    const isReported = await reportState(context, repository, check, state);
    if (check.failures > 0) await saveCheck(context, check, { failures: 0 });
    next = isReported ? nextCheckInMs(check) : failureBackoffMs(0);
  } catch (error) {
    // This node's report may have arrived after the other node's report.
    if (error instanceof LeaseLost) return await reportAgain(context.em(), check);
    // The app may not write here, so nothing can be shown. An event that names the commit retries.
    if (isRefused(error) && check.hostId === null) next = null;
    else if (await isOverdue(context.em(), check))
      next = check.conclusion === null ? await closeOverdueCheck(context, check) : nextCheckInMs(check);
    await updateCheck(context.em(), check, { failures: check.failures + 1 });
    throw error;
  } finally {
    await renewing.stop();
    await releaseCheck(context.em(), check, next);
  }
}

function nextCheckInMs({ conclusion, createdAt }: CheckRun): number | null {
  return nextCheckMs(conclusion, Date.now() - createdAt.getTime());
}

/** @throws LeaseLost */
async function saveCheck(context: ScmContext, check: CheckRun, changes: CheckChanges): Promise<void> {
  if (!(await updateCheck(context.em(), check, changes))) throw new LeaseLost();
}

/** Advances all due checks, each installation in its own lane. */
export async function advanceDueChecks(context: ScmContext, signal?: AbortSignal): Promise<void> {
  const checks: LaneWork<{ check: CheckRun }> = {
    lease: full => leaseDueChecks(context.em(), full),
    work: ({ check }, overdue) => advanceCheck(context, check, overdue),
    failed: (error, { check }) => context.warn(error, LOG_MESSAGES.delayed(check.owner, check.repo)),
  };
  await workInLanes(checks, signal);
}

/** Creates the check run, unless an earlier attempt did and its response was lost. */
async function openCheckRun(
  context: ScmContext,
  repository: RepositoryHost,
  check: CheckRun,
): Promise<string> {
  const { output } = describeCheck(check, { kind: check.mergeGroup ? "grouped" : "waiting" });
  const named = namedCheck(check);
  const before = check.lease > FIRST_LEASE ? await repository.checks.find(named) : null;
  const hostId = before ?? (await repository.checks.create(named, output));
  await saveCheck(context, check, { hostId });
  return hostId;
}

/** Returns what the code host knows of a check. */
function namedCheck(check: CheckRun): NamedCheck {
  const { sha, id: externalId, pull } = check;
  return { sha, branch: pull?.branch ?? null, name: checkNameOf(check), externalId };
}

/** Returns the repository's settings for its runs, or null if they closed the check. @throws HostError */
async function readRunConfig(context: ScmContext, repository: RepositoryHost, check: CheckRun) {
  try {
    const config = await readConfig(repository, check);
    if ("run" in config) return config.run;
    await reportState(context, repository, check, { kind: "misconfigured", ...config });
  } catch (error) {
    if (!isRefused(error)) throw error;
    const reason = CONFIGURATION_ERRORS.noAccess(messageOf(error));
    await reportState(context, repository, check, { kind: "refused", reason });
  }
  return null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws SubmitError, HostError */
async function submitRun(context: ScmContext, repository: RepositoryHost, check: CheckRun): Promise<void> {
  const config = await readRunConfig(context, repository, check);
  if (config === null) return;
  const scm = await readScm(repository, check, config.baselineBranch);
  let runId: string;
  try {
    const project = await findConnectedProject(context.em(), check.installationId);
    const rerun = check.attempt > 1 ? { rerun: true as const } : {};
    runId = await context
      .cloudOf(check.teamId)
      .submit(
        { url: check.previewUrl, ...config, ...(project !== null && { project }), scm, ...rerun },
        `${check.id}_${check.attempt}`,
      );
  } catch (error) {
    const failure = new SubmitError(error);
    if (publicMessageOf(error) === null)
      context.warn(error, LOG_MESSAGES.notSubmitted(check.owner, check.repo));
    if (failure.final)
      await reportState(context, repository, check, { kind: "refused", reason: failure.message });
    else
      await saveCheck(context, check, {
        note: CHECK_TEXTS.notAccepted(cut(failure.message, NOTE_LIMIT)),
      });
    throw failure;
  }
  Object.assign(check, { runId, note: null });
  if (await updateCheck(context.em(), check, { runId, note: null })) return;
  // The base has changed. If only the lease was lost, the next holder's submission returns the same run.
  if (await hasLaterAttempt(context.em(), check)) await cancelOwn(context, check, runId);
  throw new LeaseLost();
}

async function stateOf(context: ScmContext, check: CheckRun): Promise<CheckState> {
  if (check.mergeGroup) return { kind: "grouped" };
  if (check.runId === null) return { kind: check.conclusion === null ? "waiting" : "gone" };
  const run = await readRun(context, check, check.runId);
  if (run && isEnded(run.status))
    return { kind: "ended", run, screenshots: await context.cloudOf(check.teamId).screenshots(run.id) };
  if (check.outcome) return { kind: "reported", outcome: check.outcome };
  if (!run) return { kind: "gone" };
  return (await isOverdue(context.em(), check)) ? { kind: "overdue" } : { kind: "running", run };
}

/** Returns the run, or null if only its reported outcome is known. */
async function readRun(context: ScmContext, check: CheckRun, runId: string): Promise<RunView | null> {
  try {
    return await context.cloudOf(check.teamId).run(runId);
  } catch (error) {
    if (check.outcome) return null;
    throw error;
  }
}

/** Reports a state to the code host, if it changed. @returns false if the comment still has to be written */
async function reportState(
  context: ScmContext,
  repository: RepositoryHost,
  check: CheckRun,
  state: CheckState,
): Promise<boolean> {
  const { conclusion, hostId } = check;
  // A run that was deleted long after it ended changes nothing.
  if (hostId === null || (state.kind === "gone" && conclusion !== null)) return true;
  const change = describeCheck(check, state);
  const digest = createHash("sha256").update(JSON.stringify(change)).digest("hex");
  if (digest === check.lastReportedDigest) return true;
  const shown = await updateCheckRun(
    context,
    repository,
    { ...namedCheck(check), hostId },
    { change, state },
  );
  if (shown.error === null) {
    check.conclusion = change.conclusion;
    await saveCheck(context, check, { conclusion: change.conclusion });
  }
  // Verifies the lease, because only the holder may write the comment.
  else await saveCheck(context, check, { failures: check.failures });
  const isWritten = await writeComment(context, repository, check, state);
  if (shown.error !== null) throw shown.error;
  if (!isWritten) return false;
  await saveCheck(context, check, { lastReportedDigest: digest });
  return true;
}

/** Updates the check run. If the code host refuses it, sends a minimal one at once. @returns the error if both fail */
async function updateCheckRun(
  context: ScmContext,
  repository: RepositoryHost,
  { hostId, ...named }: NamedCheck & { hostId: string },
  { change, state }: { change: CheckChange; state: CheckState },
): Promise<{ error: unknown }> {
  try {
    await repository.checks.change(hostId, named, change).catch(async error => {
      if (!isContentRefused(error)) throw error;
      context.warn(error, LOG_MESSAGES.detailsRejected(hostId));
      await repository.checks.change(hostId, named, describeCheckBriefly(change, state));
    });
    return { error: null };
  } catch (error) {
    return { error };
  }
}

/** Closes a check after its deadline. @returns the time until the next attempt, if that fails too */
async function closeOverdueCheck(context: ScmContext, check: CheckRun): Promise<number | null> {
  try {
    await reportState(context, await context.host.repository(check), check, {
      kind: check.mergeGroup ? "grouped" : "overdue",
    });
    return null;
  } catch (error) {
    context.warn(error, LOG_MESSAGES.notCompleted(check.owner, check.repo));
    return isRefused(error) ? null : failureBackoffMs(check.failures);
  }
}
