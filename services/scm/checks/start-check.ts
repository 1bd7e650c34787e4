import { broadcast } from "../../../shared/contracts/bus.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { newId } from "../../../shared/ids.ts";
import { HostError } from "../code-host/host-error.ts";
import type { RepositoryName } from "../code-host/repository-access.ts";
import type { PullHead } from "../code-host/repository-host.ts";
import { expectedKey, previewKey } from "../pull-requests/preview-cache.ts";
import { refusePreview } from "../pull-requests/preview-url.rule.ts";
import type { ScmContext } from "../scm-context.ts";
import { CHECK_TEXTS, EVENT_REASONS, LOG_MESSAGES } from "../texts.ts";
import { notTriggered } from "../webhooks/answer.ts";
import { advanceCheck, SubmitError } from "./advance-check.ts";
import { claimCheck, findCheckOf, insertCheck } from "./check.store.ts";
import type { CheckRun, Preview } from "./check-run.entity.ts";

/** A commit of a repository that the app may see. */
export interface Commit extends RepositoryName {
  installationId: string;
  repoId: string;
  /** Address of the repository's page. */
  page: string;
  sha: string;
}

/**
 * Checks a commit at the address where it can be seen: its check run is there when this answers, and its run submitted.
 * A commit is checked once; another attempt is asked for with the check's own button.
 */
export async function startCheck(
  context: ScmContext,
  commit: Commit,
  pull: Omit<PullHead, "sha"> | null,
  preview: Preview,
): Promise<DeliveryAnswer> {
  if (refusePreview(preview.previewUrl, commit.page, context.policy) !== null)
    return { status: 400, body: { triggered: false, error: "Preview URL not allowed" } };
  return beginCheck(context, commit, pull, { ...preview, runId: null });
}

/** Passes a merge group, each of whose pull requests was checked before: there is nothing more to see. */
export function passMergeGroup(context: ScmContext, commit: Commit): Promise<DeliveryAnswer> {
  const nothing = { previewUrl: "", fromTemplate: false, runId: null };
  return beginCheck(context, commit, null, { ...nothing, mergeGroup: true });
}

const OF_MERGE_GROUP = EVENT_REASONS.groupChecked;
const CHECKED = EVENT_REASONS.checked;

/** Checks a commit once, by its run that is there already or by one of its own. */
export async function beginCheck(
  context: ScmContext,
  { page: _page, ...commit }: Commit,
  pull: Omit<PullHead, "sha"> | null,
  by: Preview & Pick<CheckRun, "runId"> & { mergeGroup?: boolean; teamId?: string | null },
): Promise<DeliveryAnswer> {
  const isMine = await insertCheck(context.em(), { id: newId("chr"), ...commit, pull, ...by });
  const known = await findCheckOf(context.em(), commit.repoId, commit.sha);
  if (!known) return notTriggered(EVENT_REASONS.checkGone);
  if (isMine) return advanceNow(context, known);
  const isWaiting = known.runId === null && known.conclusion === null;
  const isGuess = known.fromTemplate && !by.fromTemplate;
  return isWaiting || isGuess ? claimAndAdvance(context, known) : notTriggered(CHECKED);
}

/** Advances a check while the code host waits for its answer, unless somebody else does. */
export async function claimAndAdvance(context: ScmContext, { id }: CheckRun): Promise<DeliveryAnswer> {
  const claimed = await claimCheck(context.em(), id);
  return claimed ? advanceNow(context, claimed) : notTriggered(EVENT_REASONS.checking);
}

async function advanceNow(context: ScmContext, claimed: CheckRun): Promise<DeliveryAnswer> {
  const before = claimed.runId;
  try {
    await advanceCheck(context, claimed);
  } catch (error) {
    if (claimed.runId === null) return failed(context, error);
    context.warn(error, LOG_MESSAGES.checkNotUpdated);
  }
  const { runId, previewUrl, hostId } = claimed;
  if (claimed.mergeGroup) return notTriggered(OF_MERGE_GROUP);
  if (runId === null) return notTriggered(CHECK_TEXTS.notStarted);
  if (runId === before) return notTriggered(CHECKED);
  return { status: 200, body: { triggered: true, runId, previewUrl, checkRunId: Number(hostId) } };
}

function failed(context: ScmContext, error: unknown): DeliveryAnswer {
  if (error instanceof SubmitError) return { status: 502, body: { triggered: false, error: error.message } };
  if (!(error instanceof HostError)) throw error;
  context.warn(error, LOG_MESSAGES.checkNotCreated);
  const reason = error.passing ? EVENT_REASONS.notResponding : EVENT_REASONS.refused(error.message);
  return notTriggered(reason.slice(0, 500));
}

/** Remembers where a commit will be seen once a deployment succeeds, or that it will not, on every node. */
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

/** Remembers where a commit can be seen, on every node. */
export async function rememberPreview(context: ScmContext, commit: Commit, url: string): Promise<void> {
  const key = previewKey(commit, commit.sha);
  context.previews.put(key, url);
  await broadcast(context.bus, "preview.seen", { key, url });
}
