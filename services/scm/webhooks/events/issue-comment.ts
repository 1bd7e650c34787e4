import { z } from "zod";
import { EVENT_REASONS } from "../../texts/events.ts";
import { receiveReply } from "../../threads/receive-reply.ts";
import { notTriggered } from "../answer.ts";
import { hostId, onEvent, repositoryEvent, words } from "./event.ts";

/** The code host's limit is 65,536 characters. */
const MAX_BODY_CHARS = 100_000;
const ACTIONS = ["created", "edited", "deleted"] as const;

const issueCommentEvent = repositoryEvent.extend({
  action: words(100),
  issue: z.object({
    number: z.int().positive(),
    /** Only pull requests have it. */
    pull_request: z.looseObject({}).nullish(),
  }),
  comment: z.object({
    id: hostId,
    body: words(MAX_BODY_CHARS).nullish(),
    html_url: z.url({ protocol: /^https?$/ }).max(2_000),
    updated_at: z.iso.datetime({ offset: true }),
    // Null after the account was deleted.
    user: z.object({ id: hostId, login: words(100).min(1), type: words(100).nullish() }).nullable(),
    performed_via_github_app: z.looseObject({}).nullish(),
  }),
});

/**
 * Handles a comment on a pull request, which may be a reply in a thread. Comments of apps are ignored: our own would
 * come back as replies, and two apps could answer each other without an end.
 */
export const issueComment = onEvent(issueCommentEvent, async (context, event) => {
  const { issue, comment, repository } = event;
  const action = ACTIONS.find(each => each === event.action);
  if (!action) return notTriggered(`Ignored action: issue_comment ${event.action}`);
  if (!issue.pull_request) return notTriggered(EVENT_REASONS.noPullRequest);
  const { user } = comment;
  if (user === null || user.type === "Bot" || comment.performed_via_github_app)
    return notTriggered(EVENT_REASONS.ofApp);
  return receiveReply(context, {
    ...{ action, repoId: repository.id, pull: issue.number, hostId: comment.id },
    ...{ body: comment.body ?? "", url: comment.html_url, updatedAt: comment.updated_at },
    account: { id: user.id, login: user.login },
  });
});
