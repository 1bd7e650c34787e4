import { z } from "zod";
import { EVENT_REASONS } from "../../texts/events.ts";
import { requestDiscussion, requestDiscussions } from "../../threads/thread.store.ts";
import { notTriggered } from "../answer.ts";
import { hostId } from "../events/event.ts";
import { bitbucketEvent, onBitbucketEvent } from "./repository-event.ts";

const commentEvent = bitbucketEvent.extend({
  pullrequest: z.object({ id: z.int32().positive() }),
  comment: z.object({ id: hostId, parent: z.object({ id: hostId }).nullish() }),
});

/**
 * Handles a comment on a pull request that was created, edited, or deleted. If it is in the discussion of a thread, the
 * discussion is read again, whose comments say who wrote them.
 */
export const pullRequestComment = onBitbucketEvent(commentEvent, async ({ em }, event, { connection }) => {
  const { pullrequest, comment } = event;
  const of = { repoId: connection.id, pull: pullrequest.id };
  const discussionId = comment.parent?.id ?? comment.id;
  const isOfThread = await requestDiscussion(em(), { ...of, discussionId });
  // A reply to a reply names only that one.
  if (!isOfThread && comment.parent) await requestDiscussions(em(), of);
  return notTriggered(isOfThread || comment.parent ? EVENT_REASONS.threadRequested : EVENT_REASONS.noThread);
});
