import type { Outcome } from "../../../shared/alerts/outcome.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import {
  escapeText,
  escapeUrl,
  escapeWithin,
  header,
  SECTION,
  section,
} from "../../../shared/alerts/slack-blocks.ts";
import type { Sender } from "../alerts-node.ts";
import type { AlertMessage } from "../message.ts";
import { urlTail } from "../receiver.ts";
import { cut, explanation, headline, pageOf, percent } from "../words.ts";
import { type AlertLinks, type Channel, imagesOf, linksOf, type Outgoing } from "./channel.ts";

/** Limit of Slack's Block Kit, in characters. */
const ALT_TEXT = 2_000;
/** A message may have 50 blocks; nobody reads that many. */
const PAGES_SHOWN = 5;
/** Of a name within a text. */
const NAME = 600;

/** A chat tool's incoming webhook, in Slack's block format. */
export const slack: Channel = {
  atOnce: 64,
  incidents: false,
  receivers: ({ slack: address }) => (address === undefined ? [] : [{ address, secret: null }]),
  nameOf: ({ address }) => urlTail(address),
  async send(outgoing, sender) {
    const withPictures = isPublic(sender.baseUrl);
    const outcome = await post(outgoing, sender, withPictures);
    // Slack refuses a message as a whole when it cannot fetch one of its pictures, as where a firewall is between.
    const isRefused = outcome.kind === "refused" && /invalid_blocks|image/i.test(outcome.answer);
    return withPictures && isRefused ? post(outgoing, sender, false) : outcome;
  },
};

async function post(
  { receiver, message, signal }: Outgoing<AlertMessage>,
  sender: Sender,
  withPictures: boolean,
): Promise<Outcome> {
  const body = JSON.stringify(await slackMessage(message, sender, withPictures));
  const { policy, onUnresolved } = sender;
  return postJson({ url: receiver.address, body, policy, onUnresolved, signal });
}

/** The message: what happened first, then the pages with the largest differences, then what to do. */
async function slackMessage(message: AlertMessage, sender: Sender, withPictures: boolean): Promise<object> {
  const links = await linksOf(message, sender);
  const shown = message.regressions.slice(0, PAGES_SHOWN);
  const pages = await Promise.all(shown.map(one => pageBlock(message, one, sender, withPictures)));
  const left = message.count - shown.length;
  return {
    // What notifications show, and screen readers read.
    text: escapeWithin(headline(message), SECTION),
    blocks: [
      header(headline(message)),
      section(`${siteOf(message)}\n${escapeWithin(explanation(message), SECTION / 3)}`),
      ...pages,
      ...(left > 0 ? [section(`and ${left} more, in the report`)] : []),
      actions(links),
    ],
  };
}

async function pageBlock(
  message: AlertMessage,
  regression: AlertMessage["regressions"][number],
  sender: Sender,
  withPictures: boolean,
): Promise<object> {
  const images = await imagesOf(message, regression, sender);
  const page = `*${escapeWithin(pageOf(regression), NAME)}* · ${escapeText(percent(regression.diffRatio))}`;
  const links = images.map(({ name, url }) => `<${escapeUrl(url)}|${name}>`).join(" · ");
  const picture = images.find(({ name }) => name === "After");
  return {
    ...section(`${page}\n${links}`),
    ...(withPictures &&
      picture && {
        accessory: {
          type: "image",
          image_url: picture.url,
          alt_text: cut(`${pageOf(regression)} as it looks now`, ALT_TEXT),
        },
      }),
  };
}

function siteOf({ monitor: { name, url } }: AlertMessage): string {
  // A bar parts a link's address from its text.
  const text = escapeWithin(name.replaceAll("|", "¦"), NAME);
  const link = escapeUrl(url);
  return link.length <= SECTION / 3 ? `<${link}|${text}>` : text;
}

function actions({ report, snooze }: AlertLinks): object {
  const button = (text: string, url: string, id: string) => ({
    type: "button",
    action_id: id,
    text: { type: "plain_text", text, emoji: false },
    url,
  });
  return {
    type: "actions",
    elements: [
      ...(report === null ? [] : [{ ...button("Open report", report, "report"), style: "primary" }]),
      button("Snooze", snooze, "snooze"),
    ],
  };
}

/** Whether others can be expected to fetch pictures from here. */
function isPublic(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return (
    protocol === "https:" && hostname.includes(".") && !/^[\d.]+$|^\[|\.(local|internal)$/.test(hostname)
  );
}
