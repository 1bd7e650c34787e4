import { z } from "zod";
import { EVENT_REASONS } from "../../texts/events.ts";
import { receiveReply } from "../../threads/receive-reply.ts";
import { notTriggered } from "../answer.ts";
import { hostId, words } from "../events/event.ts";
import { giteaEvent, onGiteaEvent } from "./repository-event.ts";

/** Longer comments are refused. */
const MAX_BODY_CHARS = 1_000_000;
const ACTIONS = ["created", "edited", "deleted"] as const;
/** Every comment of this service starts with a hidden marker. */
const OWN = /^\s*<!-- vrs/;

const issueCommentEvent = giteaEvent.extend({
  action: words(100),
  is_pull: z.boolean().default(false),
  issue: z.object({ number: z.int32().positive() }),
  comment: z.object({
    id: hostId,
    body: words(MAX_BODY_CHARS).nullish(),
    html_url: z.url({ protocol: /^https?$/ }).max(2_000),
    updated_at: z.iso.datetime({ offset: true }),
    user: z.object({ id: z.int(), login: words(100).min(1) }).nullable(),
  }),
});

/** Handles a comment on a pull request, which may be a reply in a thread. Our own comments are none. */
export const issueComment = onGiteaEvent(issueCommentEvent, async (context, event, { connection }) => {
  const { issue, comment } = event;
  const action = ACTIONS.find(each => each === event.action);
  if (!action) return notTriggered(EVENT_REASONS.ignoredAction(event.action));
  if (!event.is_pull) return notTriggered(EVENT_REASONS.noPullRequest);
  const { user, body } = comment;
  // The users of deleted accounts and of the instance's own actions have no positive number.
  if (user === null || user.id <= 0 || OWN.test(body ?? "")) return notTriggered(EVENT_REASONS.ofApp);
  return receiveReply(context, {
    ...{ action, repoId: connection.id, pull: issue.number, hostId: comment.id },
    ...{ body: body ?? "", url: comment.html_url, updatedAt: comment.updated_at },
    // Users of other instances and hosts have the same numbers.
    account: { id: `${new URL(connection.url).host}:${user.id}`, login: user.login },
  });
});
