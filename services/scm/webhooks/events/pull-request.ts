import { z } from "zod";
import { followPull } from "../../pull-requests/follow-pull.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, hostId, onEvent, repositoryEvent, words } from "./event.ts";
import { pullActionOf, pullBase, pullEventOf, pullHead, pullPayload } from "./pull-payload.ts";

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
  pull_request: pullPayload.extend({
    // The head's repository is null after a fork was deleted.
    head: pullHead.extend({ repo: repo.nullable() }),
    base: pullBase.extend({ repo }),
  }),
});

/** Handles a pull request. Starts a run if the commit's preview is known, and carries the approvals of a merged one. */
export const pullRequest = onEvent(pullRequestEvent, async (context, event) => {
  const { action, pull_request: pull } = event;
  const isRetargeted = event.changes?.base !== undefined;
  const followed = pullActionOf(pull, action, { starting: STARTING, isRetargeted });
  if (followed === null) return notTriggered(`Ignored action: pull_request ${action}`);
  const of = pullEventOf(pull, sha => commitOf(event, sha), {
    fromFork: pull.head.repo?.id !== pull.base.repo.id,
    defaultBranch: event.repository.default_branch,
  });
  return followPull(context, followed, of, pull.merge_commit_sha ?? null);
});
