import { z } from "zod";
import { EVENT_REASONS } from "../../texts/events.ts";
import { requestDiscussion } from "../../threads/thread.store.ts";
import { notTriggered } from "../answer.ts";
import { words } from "../events/event.ts";
import { onProjectEvent, projectEvent } from "./project-event.ts";

const noteEvent = projectEvent.extend({
  object_attributes: z.object({ noteable_type: words(100), discussion_id: words(100).nullish() }),
  merge_request: z.object({ iid: z.int32().positive() }).nullish(),
});

/**
 * Handles a new or edited note. If it is in the discussion of a thread, the discussion is read again, because GitLab
 * sends no events of deleted notes.
 */
export const note = onProjectEvent(noteEvent, async ({ em }, event, { connection }) => {
  const { noteable_type: on, discussion_id: discussionId } = event.object_attributes;
  const pull = event.merge_request?.iid;
  if (on !== "MergeRequest" || pull === undefined) return notTriggered(EVENT_REASONS.noPullRequest);
  const isOfThread =
    discussionId && (await requestDiscussion(em(), { repoId: connection.id, pull, discussionId }));
  return notTriggered(isOfThread ? EVENT_REASONS.threadRequested : EVENT_REASONS.noThread);
});
