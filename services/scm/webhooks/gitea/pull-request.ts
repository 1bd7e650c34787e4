import { z } from "zod";
import { followClosed, followOpened, followRetargeted } from "../../pull-requests/follow-pull.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { hostId, sha, words } from "../events/event.ts";
import { giteaCommit, giteaEvent, onGiteaEvent } from "./repository-event.ts";

/** The actions that bring a commit to check. */
const STARTING = new Set(["opened", "reopened", "synchronized"]);

const side = z.object({ ref: words(255), sha, repo_id: hostId.nullish().catch(null) });

const pullRequestEvent = giteaEvent.extend({
  action: words(100),
  /** The previous values of an edited pull request. `ref` is the base's. */
  changes: z.object({ ref: z.looseObject({}).nullish() }).nullish(),
  pull_request: z.object({
    number: z.int32().positive(),
    merged: z.boolean().nullish(),
    updated_at: z.iso.datetime({ offset: true }).nullish(),
    // Only for display, so an invalid one is left out.
    user: z
      .object({ login: words(100).min(1) })
      .nullish()
      .catch(null),
    /** After the merge: the commit of the base, by a merge, squash, or rebase. */
    merge_commit_sha: sha.nullish().catch(null),
    head: side,
    base: side,
  }),
});

/** Handles a pull request. Starts a run if the commit's preview is known, and carries the approvals of a merged one. */
export const pullRequest = onGiteaEvent(pullRequestEvent, async (context, event, connection) => {
  const { action, pull_request: pull } = event;
  const { number, head, base } = pull;
  const defaultBranch = event.repository.default_branch ?? undefined;
  const of = {
    commit: giteaCommit(connection, event, head.sha),
    pull: {
      number,
      branch: head.ref,
      base: base.ref,
      // The head's repository is missing after a fork was deleted.
      fromFork: head.repo_id !== base.repo_id,
      ...(defaultBranch !== undefined && { defaultBranch }),
      author: pull.user?.login ?? null,
    },
    updatedAt: pull.updated_at ?? null,
  };
  if (action === "closed") {
    const into = {
      branch: base.ref,
      defaultBranch: defaultBranch ?? base.ref,
      sha: pull.merge_commit_sha ?? null,
    };
    return followClosed(context, of, pull.merged ? into : null);
  }
  if (action === "edited" && event.changes?.ref) return followRetargeted(context, of);
  if (!STARTING.has(action)) return notTriggered(EVENT_REASONS.ignoredAction(action));
  return followOpened(context, of);
});
