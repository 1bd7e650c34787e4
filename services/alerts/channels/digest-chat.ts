import type { ChatCard } from "../../../shared/alerts/chat-card.ts";
import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { percent } from "../../../shared/text/format.ts";
import type { Sender } from "../alerts-context.ts";
import { BUTTON_IDS } from "../chat-apps/read-interaction.ts";
import {
  commentUrl,
  digestButton,
  digestHeadline,
  digestParagraphs,
  digestUrl,
  shotUrl,
} from "../notices/describe-digest.ts";
import type { DigestMessage } from "../notices/digest-message.ts";
import { pageOf } from "../notifications/describe-message.ts";
import type { NoticeMessage } from "../notifications/message.ts";
import { CHAT_APP_TEXTS, DIGEST_TEXTS } from "../texts.ts";
import type { Outgoing } from "./channel.ts";
import { postChatCard } from "./post-chat-card.ts";

/** Sends a digest to a project's chat channel, in the format of its tool. If that is refused, only the headline. */
export function sendChatDigest(outgoing: Outgoing<DigestMessage>, sender: Sender): Promise<Outcome> {
  return postChatCard(outgoing, cardOf(outgoing.message, sender.baseUrl), sender);
}

/** Sends a notice from the service itself to a chat channel. */
export function sendChatNotice(outgoing: Outgoing<NoticeMessage>, sender: Sender): Promise<Outcome> {
  const { subject, paragraphs, button } = outgoing.message;
  const intro = paragraphs.map(text => [{ text }]);
  const buttons = button ? [button] : [];
  return postChatCard(outgoing, { title: subject, intro, pages: [], left: 0, buttons }, sender);
}

function cardOf(message: DigestMessage, baseUrl: string): ChatCard {
  const { run, comments, regressions, open } = message;
  return {
    title: digestHeadline(message),
    intro: digestParagraphs(message).map(text => [{ text }]),
    pages: [
      ...comments.map(comment => [
        { text: DIGEST_TEXTS.comment(comment.by, comment.page), url: commentUrl(baseUrl, run.id, comment) },
        { text: `: ${comment.text}` },
      ]),
      ...regressions.map(one => [
        { text: pageOf(one), url: shotUrl(baseUrl, run.id, one.id) },
        { text: one.images.baseline === null ? DIGEST_TEXTS.isNew : ` · ${percent(one.diffRatio)}` },
      ]),
    ],
    left: Math.max(0, (open ?? 0) - regressions.length),
    buttons: [{ label: digestButton(message), url: digestUrl(baseUrl, message) }],
    ...(message.canDecide && {
      actions: [
        { id: BUTTON_IDS.approve, value: run.id, label: CHAT_APP_TEXTS.approve, isPositive: true },
        { id: BUTTON_IDS.reject, value: run.id, label: CHAT_APP_TEXTS.reject, isPositive: false },
      ],
    }),
  };
}
