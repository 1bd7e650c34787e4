import { broadcast } from "../../../shared/contracts/bus.ts";
import { newId } from "../../../shared/ids.ts";
import type { PullHead, RepositoryName } from "../code-host/code-host.ts";
import { HostError } from "../code-host/host-error.ts";
import { expectedKey, previewKey } from "../pull-requests/preview-cache.ts";
import { refusePreview } from "../pull-requests/preview-url.rule.ts";
import type { ScmContext } from "../scm-context.ts";
import { CHECK_TEXTS } from "../texts/comments.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { type Handled, notTriggered } from "../webhooks/answer.ts";
import { advanceCheck, SubmitError } from "./advance-check.ts";
import { addPullToCheck, findCheckOf, followLaterRun, insertCheck, leaseCheck } from "./check.store.ts";
import { checkRunIdOf } from "./check-name.rule.ts";
import type { CheckRun, Preview } from "./check-run.entity.ts";

/** A commit of a repository that the app has access to. */
export interface Commit extends RepositoryName {
  installationId: string;
  repoId: string;
  /** The URL of the repository's page. */
  page: string;
  sha: string;
  /** The team of a connection. Undefined for the app's team. */
  teamId?: string;
}

/**
 * Checks a commit at its preview URL. The check run exists and its run is submitted when this returns. Each commit is
 * checked once. Only the check run's button requests another attempt.
 */
export async function startCheck(
  context: ScmContext,
  commit: Commit,
  pull: Omit<PullHead, "sha"> | null,
  preview: Preview,
): Promise<Handled> {
  if (refusePreview(preview.previewUrl, commit.page, context.policy) !== null)
    return { status: 400, body: { triggered: false, error: "Preview URL not allowed" } };
  return ensureCheck(context, commit, pull, { ...preview, runId: null });
}

/** Passes a merge group. Each of its pull requests was checked before. */
export function passMergeGroup(context: ScmContext, commit: Commit): Promise<Handled> {
  const nothing = { previewUrl: "", fromTemplate: false, runId: null };
  return ensureCheck(context, commit, null, { ...nothing, mergeGroup: true });
}

const GROUP_CHECKED = EVENT_REASONS.groupChecked;
const CHECKED: Handled = { ...notTriggered(EVENT_REASONS.checked), once: true };

/** Creates the check of a commit, with an existing run or a new one. An existing check is only advanced. */
export async function ensureCheck(
  context: ScmContext,
  { page: _page, ...commit }: Commit,
  pull: Omit<PullHead, "sha"> | null,
  by: Preview & Pick<CheckRun, "runId"> & { name?: string; mergeGroup?: boolean; teamId?: string | null },
): Promise<Handled> {
  const isMine = await insertCheck(context.em(), { id: newId("chr"), ...commit, pull, ...by });
  const known = await findCheckOf(context.em(), commit.repoId, commit.sha, by.name);
  if (!known) return notTriggered(EVENT_REASONS.checkGone);
  if (isMine) return advanceNow(context, known);
  const isAdded = pull !== null && (await addPullToCheck(context.em(), known, pull));
  if ((await followLaterRun(context.em(), known, by)) || isAdded) return leaseAndAdvance(context, known);
  const isWaiting = known.runId === null && known.conclusion === null;
  const isGuess = known.fromTemplate && !by.fromTemplate;
  return isWaiting || isGuess ? leaseAndAdvance(context, known) : CHECKED;
}

/** Advances a check before the code host gets its response, unless another node holds it. */
export async function leaseAndAdvance(context: ScmContext, { id }: CheckRun): Promise<Handled> {
  const leased = await leaseCheck(context.em(), id);
  return leased ? advanceNow(context, leased) : notTriggered(EVENT_REASONS.checking);
}

async function advanceNow(context: ScmContext, leased: CheckRun): Promise<Handled> {
  const before = leased.runId;
  try {
    await advanceCheck(context, leased);
  } catch (error) {
    if (leased.runId === null) return failed(context, error);
    context.warn(error, LOG_MESSAGES.checkNotUpdated);
  }
  const { runId, previewUrl, hostId } = leased;
  if (leased.mergeGroup) return notTriggered(GROUP_CHECKED);
  if (runId === null) return notTriggered(CHECK_TEXTS.notStarted);
  if (runId === before) return CHECKED;
  return {
    status: 200,
    once: true,
    body: { triggered: true, runId, previewUrl, checkRunId: hostId === null ? null : checkRunIdOf(hostId) },
  };
}

function failed(context: ScmContext, error: unknown): Handled {
  if (error instanceof SubmitError) return { status: 502, body: { triggered: false, error: error.message } };
  if (!(error instanceof HostError)) throw error;
  context.warn(error, LOG_MESSAGES.checkNotCreated);
  const reason = error.passing ? EVENT_REASONS.notResponding : EVENT_REASONS.refused(error.message);
  return notTriggered(reason.slice(0, 500));
}

/** Stores the expected preview URL of a commit on every node. Null deletes it. */
export async function expectPreview(
  context: ScmContext,
  commit: Commit,
  source: string,
  url: string | null,
): Promise<void> {
  const key = expectedKey(commit, source);
  context.expected.put(key, url);
  await broadcast(context.bus, "preview.expected", { key, url });
}

/** Stores the preview URL of a commit on every node. */
export async function rememberPreview(context: ScmContext, commit: Commit, url: string): Promise<void> {
  const key = previewKey(commit);
  context.previews.put(key, url);
  await broadcast(context.bus, "preview.seen", { key, url });
}
