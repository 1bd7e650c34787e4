import type { MergedInto } from "../../../shared/contracts/code-host/scm-actions.ts";
import { retargetPull } from "../checks/retarget-check.ts";
import { type Commit, ensureCheck, startCheck } from "../checks/start-check.ts";
import type { PullHead } from "../code-host/code-host.ts";
import { findEarlierRun, requestEarlierBuilds } from "../external-runs/report-external-run.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { type Handled, notTriggered } from "../webhooks/answer.ts";
import { carryMerged } from "./carry-merged.ts";
import { knownPreview } from "./preview-cache.ts";
import { renderTemplate } from "./preview-url.rule.ts";
import { findPull, markMerged, putPull } from "./pull.store.ts";

/** A pull request as an event has it. */
export interface PullEvent {
  /** The head's commit. */
  commit: Commit;
  pull: Omit<PullHead, "sha">;
  /** ISO 8601; null for an unknown time, which counts as now. */
  updatedAt: string | null;
}

/** What happened to a pull request. `updated` if its event does not say what changed. */
export type PullAction = "opened" | "updated" | "retargeted" | "closed" | "merged";

/**
 * Follows a pull request, for every code host: starts a run if the commit's preview is known, compares with a new base,
 * and carries the approvals of a merged one.
 * @param mergeSha the commit of its base after the merge; null if it is unknown
 */
export async function followPull(
  context: ScmContext,
  action: PullAction,
  event: PullEvent,
  mergeSha: string | null,
): Promise<Handled> {
  const { base, defaultBranch = base } = event.pull;
  if (action === "closed") return followClosed(context, event, null);
  if (action === "merged")
    return followClosed(context, event, { branch: base, defaultBranch, sha: mergeSha });
  const isRetargeted = action === "updated" ? await isOfOtherBase(context, event) : action === "retargeted";
  return isRetargeted ? followRetargeted(context, event) : followOpened(context, event);
}

/** Returns whether only the base of a pull request changed, since its latest event. */
async function isOfOtherBase(context: ScmContext, { commit, pull }: PullEvent): Promise<boolean> {
  const before = await findPull(context.em(), commit.repoId, pull.number);
  return before !== null && before.sha === commit.sha && before.base !== pull.base;
}

/** Saves an open pull request with a new commit, and starts its run if the commit's preview is known. */
async function followOpened(context: ScmContext, event: PullEvent): Promise<Handled> {
  const { commit, pull } = event;
  if (!(await record(context, event, true))) return notTriggered(EVENT_REASONS.moved);
  await requestEarlierBuilds(context, commit, pull);
  const known = knownPreview(context.previews, commit);
  if (known) return startCheck(context, commit, pull, known);
  const earlier = await findEarlierRun(context, commit, pull);
  if (earlier) {
    const { run, teamId } = earlier;
    const by = { previewUrl: run.url, fromTemplate: false, runId: run.id, teamId };
    return ensureCheck(context, commit, pull, by);
  }
  const previewUrl = templateUrl(context, event);
  if (previewUrl === null) return notTriggered("No preview URL available yet");
  return startCheck(context, commit, pull, { previewUrl, fromTemplate: true });
}

/** Compares a pull request with its new base. */
async function followRetargeted(context: ScmContext, event: PullEvent): Promise<Handled> {
  const isLatest = await record(context, event, true);
  return isLatest ? retargetPull(context, event.commit, event.pull) : notTriggered(EVENT_REASONS.moved);
}

/** Closes a pull request, and carries the approvals of a merged one. @param into null if it was not merged */
async function followClosed(
  context: ScmContext,
  event: PullEvent,
  into: MergedInto | null,
): Promise<Handled> {
  await record(context, event, false);
  if (into === null) return notTriggered(EVENT_REASONS.closed);
  await markMerged(context.em(), event.commit.repoId, event.pull.number, into);
  await carryMerged(context).catch(error => context.warn(error, LOG_MESSAGES.notCarried));
  return notTriggered(EVENT_REASONS.merged);
}

function record(
  context: ScmContext,
  { commit, pull, updatedAt }: PullEvent,
  isOpen: boolean,
): Promise<boolean> {
  return putPull(context.em(), commit, { ...pull, sha: commit.sha, updatedAt }, isOpen);
}

/** Stands for a template that a value would move to another host. The address guard refuses it. */
const REFUSED_URL = "";

function templateUrl({ settings }: ScmContext, { commit, pull }: PullEvent): string | null {
  if (settings.previewUrlTemplate === null) return null;
  const { owner, repo, sha: commitSha } = commit;
  const facts = { owner, repo, commitSha, branch: pull.branch, prNumber: pull.number };
  return renderTemplate(settings.previewUrlTemplate, facts) ?? REFUSED_URL;
}
