import { cardToolOf } from "../../../shared/alerts/chat-tool.ts";
import { isContentRefused, type Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import { escapeText, escapeUrl, escapeWithin, header, section } from "../../../shared/alerts/slack-blocks.ts";
import { percent } from "../../../shared/text/format.ts";
import { cut, TEXT_LIMITS } from "../../../shared/text/text-limits.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import type { Sender } from "../alerts-context.ts";
import { explanation, headline, pageOf } from "../notifications/describe-message.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { urlTail } from "../notifications/receiver.ts";
import { MESSAGE_TEXTS } from "../texts.ts";
import { type AlertLinks, type Channel, imagesOf, linksOf, type Outgoing } from "./channel.ts";
import { sendCard } from "./chat-card.ts";
import { sendChatDigest, sendChatNotice } from "./digest-chat.ts";

const { slackSection, slackAltText } = TEXT_LIMITS;
/** A message may have 50 blocks, but people don't read that many. */
const PAGES_SHOWN = 5;
/** Limits of a name and of a section part, after escaping. */
const NAME = { max: 600, unit: slackSection.unit };
const PART = { max: slackSection.max / 3, unit: slackSection.unit };

/** A chat tool's incoming webhook. Slack gets blocks, and other tools get their card format. */
export const slack: Channel = {
  concurrency: 64,
  incidents: false,
  receivers: ({ slack: address }) => (address === undefined ? [] : [{ address, secret: null }]),
  nameOf: ({ address }) => urlTail(address),
  async send(outgoing, sender) {
    const tool = cardToolOf(outgoing.receiver.address);
    if (tool) return sendCard(tool, outgoing, sender);
    // Slack refuses the whole message if it can't load an image, such as behind a firewall, or for other content.
    // So smaller forms follow.
    const [first, ...others] = isPublic(sender.baseUrl) ? FORMS : FORMS.slice(1);
    let outcome = await post(outgoing, sender, first);
    for (const form of others) if (isContentRefused(outcome)) outcome = await post(outgoing, sender, form);
    return outcome;
  },
  digest: sendChatDigest,
  notify: sendChatNotice,
};

/** Forms of a message: all of it, without images, or only the headline. */
const FORMS = ["whole", "without images", "brief"] as const;
type Form = (typeof FORMS)[number];

async function post(
  { receiver, message, signal }: Outgoing<AlertMessage>,
  sender: Sender,
  form: Form | undefined,
): Promise<Outcome> {
  const content =
    form === "brief" ? briefMessage(message) : await slackMessage(message, sender, form === "whole");
  const { policy, onUnresolved } = sender;
  return postJson({ url: receiver.address, body: JSON.stringify(content), policy, onUnresolved, signal });
}

/** Returns the message as one line of text. */
function briefMessage(message: AlertMessage): object {
  return { text: escapeWithin(headline(message)) };
}

/** Returns the message: what happened, then the pages with the largest differences, then what to do. */
async function slackMessage(message: AlertMessage, sender: Sender, withImages: boolean): Promise<object> {
  const links = await linksOf(message, sender);
  const shown = message.regressions.slice(0, PAGES_SHOWN);
  const pages = await Promise.all(shown.map(one => pageBlock(message, one, sender, withImages)));
  const left = message.count - shown.length;
  return {
    // Shown by notifications, and read by screen readers.
    text: escapeWithin(headline(message)),
    blocks: [
      header(headline(message)),
      section(`${siteOf(message)}\n${escapeWithin(explanation(message), PART)}`),
      ...pages,
      ...(left > 0 ? [section(MESSAGE_TEXTS.more(left))] : []),
      actions(links),
    ],
  };
}

async function pageBlock(
  message: AlertMessage,
  regression: AlertMessage["regressions"][number],
  sender: Sender,
  withImages: boolean,
): Promise<object> {
  const images = await imagesOf(message, regression, sender);
  const page = `*${escapeWithin(pageOf(regression), NAME)}* · ${escapeText(percent(regression.diffRatio))}`;
  const links = images.map(({ name, url }) => `<${escapeUrl(url)}|${name}>`).join(" · ");
  const image = images.find(({ name }) => name === "After");
  return {
    ...section(`${page}\n${links}`),
    ...(withImages &&
      image && {
        accessory: {
          type: "image",
          image_url: image.url,
          alt_text: cut(visibleLine(MESSAGE_TEXTS.latestScreenshot(pageOf(regression))), slackAltText),
        },
      }),
  };
}

function siteOf({ monitor: { name, url } }: AlertMessage): string {
  // A bar separates a link's URL from its text.
  const text = escapeWithin(name.replaceAll("|", "¦"), NAME);
  const link = escapeUrl(url);
  return link.length <= PART.max ? `<${link}|${text}>` : text;
}

function actions({ report, snooze, incident }: AlertLinks): object {
  const button = (text: string, url: string, id: string) => ({
    type: "button",
    action_id: id,
    text: { type: "plain_text", text, emoji: false },
    url,
  });
  return {
    type: "actions",
    elements: [
      ...(report === null
        ? []
        : [{ ...button(MESSAGE_TEXTS.openReport, report, "report"), style: "primary" }]),
      ...(incident === null ? [] : [button(MESSAGE_TEXTS.openIncident, incident, "incident")]),
      button(MESSAGE_TEXTS.snooze, snooze, "snooze"),
    ],
  };
}

/** Returns whether receivers outside can probably load images from this URL. */
function isPublic(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return (
    protocol === "https:" && hostname.includes(".") && !/^[\d.]+$|^\[|\.(local|internal)$/.test(hostname)
  );
}
