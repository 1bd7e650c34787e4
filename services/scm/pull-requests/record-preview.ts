import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { type Commit, expectPreview, rememberPreview, startCheck } from "../checks/start-check.ts";
import type { PullHead } from "../code-host/repository-host.ts";
import { repositoryOf, type ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts.ts";
import { notTriggered } from "../webhooks/answer.ts";
import { expectedKey } from "./preview-cache.ts";
import { refusePreview } from "./preview-url.rule.ts";
import { findOpenPull, putPull } from "./pull.store.ts";

/** What a provider tells of a commit's deployment. */
export interface DeploymentNews {
  /** Which of its deployments it is about. */
  source: string;
  state: string;
  /** Null where it says none. */
  url: string | null;
}

/** Those of a deployment that is still to succeed. */
const UNDER_WAY = new Set(["pending", "queued", "in_progress", "waiting"]);

/** Returns where a deployment is to be seen once it succeeds, as an earlier status said; null where none did. */
export function expectedUrl(context: ScmContext, commit: Commit, source: string): string | null {
  return context.expected.get(expectedKey(commit, source));
}

/**
 * Takes what a provider tells of a deployment: a URL is remembered at once, and used once the deployment succeeds.
 * @throws HostError
 */
export async function takeStatus(
  context: ScmContext,
  commit: Commit,
  { source, state, url }: DeploymentNews,
): Promise<DeliveryAnswer> {
  if (state === "success") {
    const address = url ?? expectedUrl(context, commit, source);
    return address === null ? notTriggered(EVENT_REASONS.noUrl) : previewSeen(context, commit, address);
  }
  if (!UNDER_WAY.has(state)) {
    await expectPreview(context, commit, source, null);
    return notTriggered(EVENT_REASONS.deployment(state));
  }
  if (url === null) return notTriggered(EVENT_REASONS.deployment(state));
  if (refusePreview(url, commit.page, context.policy) !== null) return NOT_ALLOWED;
  await expectPreview(context, commit, source, url);
  return notTriggered(EVENT_REASONS.remembered(state));
}

const NOT_ALLOWED: DeliveryAnswer = {
  status: 400,
  body: { triggered: false, error: "Preview URL not allowed" },
};

/**
 * A provider told where a commit can be seen: that is remembered, and the run of an open pull request at this commit
 * started. Where its event has not come in, the code host is asked: it may come later, or not at all.
 * @throws HostError
 */
async function previewSeen(context: ScmContext, commit: Commit, url: string): Promise<DeliveryAnswer> {
  if (refusePreview(url, commit.page, context.policy) !== null) return NOT_ALLOWED;
  await rememberPreview(context, commit, url);
  const pull =
    (await findOpenPull(context.em(), commit.repoId, commit.sha)) ?? (await askForPull(context, commit));
  if (!pull) return notTriggered(EVENT_REASONS.noPull);
  return startCheck(context, commit, pull, { previewUrl: url, fromTemplate: false });
}

/** @throws HostError */
async function askForPull(context: ScmContext, commit: Commit): Promise<Omit<PullHead, "sha"> | null> {
  const repository = await repositoryOf(context, commit);
  const [found] = await repository.pullsAt(commit.sha);
  if (!found) return null;
  await putPull(context.em(), commit, found, true);
  const { sha: _sha, updatedAt: _updatedAt, ...pull } = found;
  return pull;
}
