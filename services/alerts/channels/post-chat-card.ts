import { briefBody, cardBody } from "../../../shared/alerts/card-body.ts";
import type { ChatCard } from "../../../shared/alerts/chat-card.ts";
import { cardToolOf } from "../../../shared/alerts/chat-tool.ts";
import { isContentRefused, type Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import { escapeUrl, escapeWithin, header, section } from "../../../shared/alerts/slack-blocks.ts";
import { TEXT_LIMITS } from "../../../shared/text/text-limits.ts";
import type { Sender } from "../alerts-context.ts";
import { DIGEST_TEXTS } from "../texts.ts";
import type { Outgoing } from "./channel.ts";

const { slackSection } = TEXT_LIMITS;
/** Limits of a part of a section, after escaping. */
const PART = { max: slackSection.max / 3, unit: slackSection.unit };
const NAME = { max: 600, unit: slackSection.unit };

/** Posts a card to a webhook, in the format of its tool. If that is refused, only the title. */
export async function postChatCard(
  { receiver, signal }: Pick<Outgoing<unknown>, "receiver" | "signal">,
  card: ChatCard,
  { policy, onUnresolved }: Sender,
): Promise<Outcome> {
  const post = (body: object) =>
    postJson({ url: receiver.address, body: JSON.stringify(body), policy, onUnresolved, signal });
  const tool = cardToolOf(receiver.address);
  const outcome = await post(tool ? cardBody(tool, card) : slackBody(card));
  if (!isContentRefused(outcome)) return outcome;
  return post(tool ? briefBody(tool, card.title) : { text: escapeWithin(card.title) });
}

/** Returns the same card as Slack's blocks. */
function slackBody({ title, intro, pages, left, buttons, actions = [] }: ChatCard): object {
  const line = (parts: ChatCard["pages"][number]) =>
    parts
      .map(({ text, url }) => {
        // A bar separates a link's URL from its text.
        const shown = escapeWithin(url === undefined ? text : text.replaceAll("|", "¦"), url ? NAME : PART);
        return url === undefined ? shown : `<${escapeUrl(url)}|${shown}>`;
      })
      .join("");
  return {
    // Shown by notifications, and read by screen readers.
    text: escapeWithin(title),
    blocks: [
      header(title),
      ...[...intro, ...pages].map(parts => section(line(parts))),
      ...(left > 0 ? [section(DIGEST_TEXTS.more(left))] : []),
      {
        type: "actions",
        elements: [
          ...actions.map(({ id, value, label, isPositive }) => ({
            type: "button",
            action_id: id,
            value,
            style: isPositive ? "primary" : "danger",
            text: { type: "plain_text", text: label, emoji: false },
          })),
          ...buttons.map(({ label, url }, index) => ({
            type: "button",
            action_id: `open-${index}`,
            text: { type: "plain_text", text: label, emoji: false },
            url,
          })),
        ],
      },
    ],
  };
}
