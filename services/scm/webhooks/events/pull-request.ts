import { z } from "zod";
import { retarget } from "../../checks/retarget-check.ts";
import { beginCheck, startCheck } from "../../checks/start-check.ts";
import { findEarlierRun } from "../../external-runs/report-external-run.ts";
import { carryMerged } from "../../pull-requests/carry-merged.ts";
import { toldPreview } from "../../pull-requests/preview-cache.ts";
import { renderTemplate } from "../../pull-requests/preview-url.rule.ts";
import { markMerged, putPull } from "../../pull-requests/pull.store.ts";
import type { ScmContext } from "../../scm-context.ts";
import { EVENT_REASONS, LOG_MESSAGES } from "../../texts.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, hostId, onEvent, repositoryEvent, sha, words } from "./event.ts";

/** Those that bring a commit to be checked. A draft is checked too: it is deployed, and feedback early is worth most. */
const STARTING = new Set(["opened", "synchronize", "reopened", "ready_for_review"]);

const MOVED_ON = EVENT_REASONS.moved;

const repo = z.object({ id: hostId });

const pullRequestEvent = repositoryEvent.extend({
  action: words(100),
  /** Of an edited one: what it was before. */
  changes: z.object({ base: z.looseObject({}).optional() }).nullish(),
  pull_request: z.object({
    number: z.int().positive(),
    merged: z.boolean().nullish(),
    updated_at: z.iso.datetime({ offset: true }).nullish(),
    // To be shown and no more: one that is not as it should be is left out.
    user: z
      .object({ login: words(100).min(1) })
      .nullish()
      .catch(null),
    /** Once it is merged: what its base came to be at, be it by a merge, a squash or a rebase. */
    merge_commit_sha: sha.nullish(),
    // The head's repository is null once a fork was deleted.
    head: z.object({ sha, ref: words(255), repo: repo.nullable() }),
    base: z.object({ ref: words(255), repo }),
  }),
});

/** Starts a run of a pull request's commit, if it is known where that can be seen; a merged one's approvals move on. */
export const pullRequest = onEvent(pullRequestEvent, async (context, event) => {
  const { action, pull_request: pull } = event;
  const { number, head, base } = pull;
  const commit = commitOf(event, head.sha);
  const fromFork = head.repo?.id !== base.repo.id;
  const defaultBranch = event.repository.default_branch;
  const at = {
    number,
    branch: head.ref,
    base: base.ref,
    fromFork,
    defaultBranch,
    author: pull.user?.login ?? null,
  };
  const put = (isOpen: boolean) =>
    putPull(context.em(), commit, { ...at, sha: head.sha, updatedAt: pull.updated_at ?? null }, isOpen);
  if (action === "closed") {
    await put(false);
    if (!pull.merged) return notTriggered(EVENT_REASONS.closed);
    const into = { branch: base.ref, defaultBranch, sha: pull.merge_commit_sha ?? null };
    await markMerged(context.em(), commit.repoId, number, into);
    await carryMerged(context).catch(error => context.warn(error, LOG_MESSAGES.notCarried));
    return notTriggered(EVENT_REASONS.merged);
  }
  if (action === "edited" && event.changes?.base) {
    return (await put(true)) ? retarget(context, commit, at) : notTriggered(MOVED_ON);
  }
  if (!STARTING.has(action)) return notTriggered(`Ignored action: pull_request ${action}`);
  if (!(await put(true))) return notTriggered(MOVED_ON);
  const told = toldPreview(context.previews, commit);
  if (told) return startCheck(context, commit, at, told);
  const earlier = await findEarlierRun(context, commit, at);
  if (earlier) {
    const { run, teamId } = earlier;
    return beginCheck(context, commit, at, {
      previewUrl: run.url,
      fromTemplate: false,
      runId: run.id,
      teamId,
    });
  }
  const previewUrl = templateUrl(context, event);
  if (previewUrl === null) return notTriggered("No preview URL available yet");
  return startCheck(context, commit, at, { previewUrl, fromTemplate: true });
});

/** Of what would be no address of the template's own, what the guard refuses. */
const NO_URL = "";

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
  return renderTemplate(settings.previewUrlTemplate, { ...facts, prNumber: number }) ?? NO_URL;
}
