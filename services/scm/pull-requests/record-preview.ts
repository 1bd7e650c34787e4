import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { type Commit, expectPreview, rememberPreview, startCheck } from "../checks/start-check.ts";
import type { PullHead } from "../code-host/code-host.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { type Handled, notTriggered } from "../webhooks/answer.ts";
import { expectedKey } from "./preview-cache.ts";
import { refusePreview } from "./preview-url.rule.ts";
import { findOpenPull, putPull } from "./pull.store.ts";

/** A status of a commit's deployment. */
export interface DeploymentReport {
  /** Identifies the deployment of the commit. */
  source: string;
  state: string;
  /** Null if the status has none. */
  url: string | null;
}

/** The states of an unfinished deployment. */
const PENDING_STATES = new Set(["pending", "queued", "in_progress", "waiting"]);

/** Returns the URL that an earlier status gave for a deployment, or null. */
export function expectedUrl(context: ScmContext, commit: Commit, source: string): string | null {
  return context.expected.get(expectedKey(commit, source));
}

/**
 * Records the status of a deployment. Its URL is stored at once, and used after the deployment succeeds.
 * @throws HostError
 */
export async function recordDeployment(
  context: ScmContext,
  commit: Commit,
  { source, state, url }: DeploymentReport,
): Promise<Handled> {
  if (state === "success") {
    const address = url ?? expectedUrl(context, commit, source);
    return address === null ? notTriggered(EVENT_REASONS.noUrl) : applyPreview(context, commit, address);
  }
  if (!PENDING_STATES.has(state)) {
    await expectPreview(context, commit, source, null);
    return onceNotTriggered(EVENT_REASONS.deployment(state));
  }
  if (url === null) return notTriggered(EVENT_REASONS.deployment(state));
  if (refusePreview(url, commit.page, context.policy) !== null) return NOT_ALLOWED;
  await expectPreview(context, commit, source, url);
  return onceNotTriggered(EVENT_REASONS.remembered(state));
}

/** Returns the response to a stored URL, or a deleted one. A replay must not bring back an earlier one. */
function onceNotTriggered(reason: string): Handled {
  return { ...notTriggered(reason), once: true };
}

const NOT_ALLOWED: DeliveryAnswer = {
  status: 400,
  body: { triggered: false, error: "Preview URL not allowed" },
};

/**
 * Stores the preview of a commit, and starts the run of its open pull request. Asks the code host if the pull request's
 * event has not arrived, because it may be late or lost.
 * @throws HostError
 */
async function applyPreview(context: ScmContext, commit: Commit, url: string): Promise<Handled> {
  if (refusePreview(url, commit.page, context.policy) !== null) return NOT_ALLOWED;
  await rememberPreview(context, commit, url);
  const pull =
    (await findOpenPull(context.em(), commit.repoId, commit.sha)) ?? (await loadPull(context, commit));
  if (!pull) return onceNotTriggered(EVENT_REASONS.noPull);
  return startCheck(context, commit, pull, { previewUrl: url, fromTemplate: false });
}

/** @throws HostError */
async function loadPull(context: ScmContext, commit: Commit): Promise<Omit<PullHead, "sha"> | null> {
  const repository = await context.host.repository(commit);
  const [found] = await repository.pullsAt(commit.sha);
  if (!found) return null;
  await putPull(context.em(), commit, found, true);
  const { sha: _sha, updatedAt: _updatedAt, ...pull } = found;
  return pull;
}
