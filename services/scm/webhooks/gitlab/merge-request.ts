import { z } from "zod";
import { followPull, type PullAction } from "../../pull-requests/follow-pull.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { requestDiscussions } from "../../threads/thread.store.ts";
import { notTriggered } from "../answer.ts";
import { hostId, sha, words } from "../events/event.ts";
import { onProjectEvent, projectEvent } from "./project-event.ts";

/** GitLab's times: ISO 8601, or `2026-01-31 12:00:00 UTC` on older instances. */
const time = words(40).transform(text => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
});

const mergeRequestEvent = projectEvent.extend({
  user: z
    .object({ id: hostId, username: words(255).min(1) })
    .nullish()
    .catch(null),
  object_attributes: z.object({
    iid: z.int32().positive(),
    action: words(100).default(""),
    author_id: hostId.nullish(),
    source_branch: words(255),
    target_branch: words(255),
    source_project_id: hostId.nullish(),
    target_project_id: hostId,
    last_commit: z.object({ id: sha }),
    /** The earlier head, if an update has new commits. */
    oldrev: sha.nullish(),
    /** Null for a fast-forward merge. */
    merge_commit_sha: sha.nullish(),
    updated_at: time.nullish(),
  }),
  changes: z.looseObject({ target_branch: z.unknown() }).partial().nullish(),
});

/** Handles a merge request. */
export const mergeRequest = onProjectEvent(mergeRequestEvent, async (context, event, from) => {
  const { action, last_commit: head, ...request } = event.object_attributes;
  const { connection, commitAt, defaultBranch } = from;
  // The event names only its sender. The author is known if they are the same person.
  const author = event.user?.id === request.author_id ? event.user?.username : null;
  const of = {
    commit: commitAt(head.id),
    pull: {
      number: request.iid,
      branch: request.source_branch,
      base: request.target_branch,
      // The source is null after a fork was deleted.
      fromFork: request.source_project_id !== request.target_project_id,
      ...(defaultBranch !== undefined && { defaultBranch }),
      author: author ?? null,
    },
    updatedAt: request.updated_at ?? null,
  };
  const followed = actionOf(event);
  if (followed !== null) return followPull(context, followed, of, request.merge_commit_sha ?? null);
  // GitLab sends an update when the last open discussion is resolved.
  if (action === "update")
    await requestDiscussions(context.em(), { repoId: connection.id, pull: request.iid });
  return notTriggered(EVENT_REASONS.ignoredAction(action));
});

/** The actions that say all. An update counts only with new commits or another base. */
const ACTIONS: ReadonlyMap<string, PullAction> = new Map([
  ["open", "opened"],
  ["reopen", "opened"],
  ["close", "closed"],
  ["merge", "merged"],
]);

function actionOf({ object_attributes, changes }: z.infer<typeof mergeRequestEvent>): PullAction | null {
  const { action, oldrev } = object_attributes;
  if (action !== "update") return ACTIONS.get(action) ?? null;
  if (oldrev != null) return "opened";
  return changes?.target_branch === undefined ? null : "retargeted";
}
