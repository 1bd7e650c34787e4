import { briefBody, cardBody } from "../../../shared/alerts/card-body.ts";
import type { CardText, ChatCard } from "../../../shared/alerts/chat-card.ts";
import type { CardTool } from "../../../shared/alerts/chat-tool.ts";
import { isContentRefused, type Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import { percent } from "../../../shared/text/format.ts";
import type { Sender } from "../alerts-context.ts";
import { explanation, headline, pageOf } from "../notifications/describe-message.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { MESSAGE_TEXTS } from "../texts.ts";
import { imagesOf, linksOf, type Outgoing } from "./channel.ts";

/** The same number as in other chat tools. */
const PAGES_SHOWN = 5;

/**
 * Sends a message as a card in the format of the webhook's chat tool. If the tool refuses it, sends only the
 * headline.
 */
export async function sendCard(
  tool: CardTool,
  { receiver, message, signal }: Outgoing<AlertMessage>,
  sender: Sender,
): Promise<Outcome> {
  const { policy, onUnresolved } = sender;
  const post = (body: object) =>
    postJson({ url: receiver.address, body: JSON.stringify(body), policy, onUnresolved, signal });
  const outcome = await post(await cardOf(tool, message, sender));
  return isContentRefused(outcome) ? post(briefBody(tool, headline(message))) : outcome;
}

/** Returns the card: what happened, then the pages with the largest differences, then what to do. */
async function cardOf(tool: CardTool, message: AlertMessage, sender: Sender): Promise<object> {
  const { monitor, regressions, count } = message;
  const { report, snooze, incident } = await linksOf(message, sender);
  const shown = regressions.slice(0, PAGES_SHOWN);
  return cardBody(tool, {
    title: headline(message),
    intro: [[{ text: monitor.name, url: monitor.url }], [{ text: explanation(message) }]],
    pages: await Promise.all(shown.map(one => pageLine(message, one, sender))),
    left: count - shown.length,
    ...(isTone(message.kind) && { tone: message.kind }),
    at: message.at,
    buttons: [
      ...(report === null ? [] : [{ label: MESSAGE_TEXTS.openReport, url: report }]),
      ...(incident === null ? [] : [{ label: MESSAGE_TEXTS.openIncident, url: incident }]),
      { label: MESSAGE_TEXTS.snooze, url: snooze },
    ],
  });
}

function isTone(kind: string): kind is NonNullable<ChatCard["tone"]> {
  return kind === "changed" || kind === "down" || kind === "recovered";
}

async function pageLine(
  message: AlertMessage,
  regression: AlertMessage["regressions"][number],
  sender: Sender,
): Promise<CardText[]> {
  const images = await imagesOf(message, regression, sender);
  const links = images.flatMap(({ name, url }) => [{ text: " · " }, { text: name, url }]);
  return [
    { text: pageOf(regression), isBold: true },
    { text: ` · ${percent(regression.diffRatio)}` },
    ...links,
  ];
}
