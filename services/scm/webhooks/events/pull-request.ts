import { z } from "zod";
import { followClosed, followOpened, followRetargeted } from "../../pull-requests/follow-pull.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, hostId, onEvent, repositoryEvent, sha, words } from "./event.ts";

/**
 * The actions that bring a commit to check. Drafts are checked too, because they are deployed and early feedback helps
 * most.
 */
const STARTING = new Set(["opened", "synchronize", "reopened", "ready_for_review"]);

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
  const defaultBranch = event.repository.default_branch;
  const of = {
    commit: commitOf(event, head.sha),
    pull: {
      number,
      branch: head.ref,
      base: base.ref,
      fromFork: head.repo?.id !== base.repo.id,
      defaultBranch,
      author: pull.user?.login ?? null,
    },
    updatedAt: pull.updated_at ?? null,
  };
  if (action === "closed") {
    const into = { branch: base.ref, defaultBranch, sha: pull.merge_commit_sha ?? null };
    return followClosed(context, of, pull.merged ? into : null);
  }
  if (action === "edited" && event.changes?.base) return followRetargeted(context, of);
  if (!STARTING.has(action)) return notTriggered(`Ignored action: pull_request ${action}`);
  return followOpened(context, of);
});
