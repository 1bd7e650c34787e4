import { z } from "zod";
import { retargetPull } from "../../checks/retarget-check.ts";
import { ensureCheck, startCheck } from "../../checks/start-check.ts";
import { findEarlierRun, requestEarlierBuilds } from "../../external-runs/report-external-run.ts";
import { carryMerged } from "../../pull-requests/carry-merged.ts";
import { knownPreview } from "../../pull-requests/preview-cache.ts";
import { renderTemplate } from "../../pull-requests/preview-url.rule.ts";
import { markMerged, putPull } from "../../pull-requests/pull.store.ts";
import type { ScmContext } from "../../scm-context.ts";
import { EVENT_REASONS, LOG_MESSAGES } from "../../texts.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, hostId, onEvent, repositoryEvent, sha, words } from "./event.ts";

/**
 * The actions that bring a commit to check. Drafts are checked too, because they are deployed and early feedback helps
 * most.
 */
const STARTING = new Set(["opened", "synchronize", "reopened", "ready_for_review"]);

const MOVED = EVENT_REASONS.moved;

const repo = z.object({ id: hostId });

const pullRequestEvent = repositoryEvent.extend({
  action: words(100),
  /** The previous values of an edited pull request. */
  changes: z.object({ base: z.looseObject({}).optional() }).nullish(),
  pull_request: z.object({
    number: z.int().positive(),
    merged: z.boolean().nullish(),
    updated_at: z.iso.datetime({ offset: true }).nullish(),
    // Only for display, so an invalid one is left out.
    user: z
      .object({ login: words(100).min(1) })
      .nullish()
      .catch(null),
    /** After the merge: the commit of the base, by a merge, squash, or rebase. */
    merge_commit_sha: sha.nullish(),
    // The head's repository is null after a fork was deleted.
    head: z.object({ sha, ref: words(255), repo: repo.nullable() }),
    base: z.object({ ref: words(255), repo }),
  }),
});

/** Handles a pull request. Starts a run if the commit's preview is known, and carries the approvals of a merged one. */
export const pullRequest = onEvent(pullRequestEvent, async (context, event) => {
  const { action, pull_request: pull } = event;
  const { number, head, base } = pull;
  const commit = commitOf(event, head.sha);
  const fromFork = head.repo?.id !== base.repo.id;
  const defaultBranch = event.repository.default_branch;
  const pullHead = {
    number,
    branch: head.ref,
    base: base.ref,
    fromFork,
    defaultBranch,
    author: pull.user?.login ?? null,
  };
  const recordPull = (isOpen: boolean) =>
    putPull(context.em(), commit, { ...pullHead, sha: head.sha, updatedAt: pull.updated_at ?? null }, isOpen);
  if (action === "closed") {
    await recordPull(false);
    if (!pull.merged) return notTriggered(EVENT_REASONS.closed);
    const into = { branch: base.ref, defaultBranch, sha: pull.merge_commit_sha ?? null };
    await markMerged(context.em(), commit.repoId, number, into);
    await carryMerged(context).catch(error => context.warn(error, LOG_MESSAGES.notCarried));
    return notTriggered(EVENT_REASONS.merged);
  }
  if (action === "edited" && event.changes?.base) {
    return (await recordPull(true)) ? retargetPull(context, commit, pullHead) : notTriggered(MOVED);
  }
  if (!STARTING.has(action)) return notTriggered(`Ignored action: pull_request ${action}`);
  if (!(await recordPull(true))) return notTriggered(MOVED);
  await requestEarlierBuilds(context, commit, pullHead);
  const known = knownPreview(context.previews, commit);
  if (known) return startCheck(context, commit, pullHead, known);
  const earlier = await findEarlierRun(context, commit, pullHead);
  if (earlier) {
    const { run, teamId } = earlier;
    return ensureCheck(context, commit, pullHead, {
      previewUrl: run.url,
      fromTemplate: false,
      runId: run.id,
      teamId,
    });
  }
  const previewUrl = templateUrl(context, event);
  if (previewUrl === null) return notTriggered("No preview URL available yet");
  return startCheck(context, commit, pullHead, { previewUrl, fromTemplate: true });
});

/** Stands for a template that a value would move to another host. The address guard refuses it. */
const REFUSED_URL = "";

function templateUrl(
  { settings }: ScmContext,
  { repository, pull_request: { number, head } }: z.infer<typeof pullRequestEvent>,
): string | null {
  if (settings.previewUrlTemplate === null) return null;
  const facts = {
    owner: repository.owner.login,
    repo: repository.name,
    branch: head.ref,
    commitSha: head.sha,
  };
  return renderTemplate(settings.previewUrlTemplate, { ...facts, prNumber: number }) ?? REFUSED_URL;
}
