import { z } from "zod";

/**
 * A message to an incoming webhook, by Slack's block reference. Slack rejects messages over a limit
 * completely.
 */

const url = z.url({ protocol: /^https?$/ }).max(3000);
const plain = (max: number) =>
  z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(max), emoji: z.boolean() });
const mrkdwn = z.strictObject({
  type: z.literal("mrkdwn"),
  text: z.string().min(1).max(3000),
  verbatim: z.literal(true),
});
const image = z.strictObject({
  type: z.literal("image"),
  image_url: url,
  alt_text: z.string().min(1).max(2000),
});
const button = z
  .strictObject({
    type: z.literal("button"),
    action_id: z.string().min(1).max(255),
    text: plain(75),
    url: url.optional(),
    /** Sent back when the app handles the button. */
    value: z.string().min(1).max(2000).optional(),
    style: z.enum(["primary", "danger"]).optional(),
  })
  .refine(({ url, value }) => (url === undefined) !== (value === undefined), "opens a URL, or has a value");
const block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("header"), text: plain(150) }),
  z.strictObject({ type: z.literal("section"), text: mrkdwn, accessory: image.optional() }),
  z.strictObject({ type: z.literal("actions"), elements: z.array(button).min(1).max(25) }),
]);

export const slackMessage = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z.array(block).min(1).max(50),
});

/** Parses a text in Slack's markup: links, bold and code, and the rest. @throws Error if it is malformed */
export function readMrkdwn(text: string): { links: { url: string; label: string }[]; rest: string } {
  const links: { url: string; label: string }[] = [];
  const rest = text.replaceAll(/<([^<>|]*)\|([^<>|]*)>/g, (_link, to: string, label: string) => {
    links.push({ url: unescapeText(to), label: unescapeText(label) });
    return "";
  });
  if (/[<>]/.test(rest)) throw new Error(`A bracket that is no link's: ${rest}`);
  if (/&(?!amp;|lt;|gt;)/.test(rest)) throw new Error(`An ampersand that is not escaped: ${rest}`);
  return { links, rest: unescapeText(rest) };
}

function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
