import { z } from "zod";

/** Cards by the references of Teams and Google Chat. Undocumented fields are rejected. */

const url = z.url({ protocol: /^https?$/ }).max(2048);
const openUrl = z.strictObject({ type: z.literal("Action.OpenUrl"), url });
const run = z.strictObject({
  type: z.literal("TextRun"),
  text: z.string().min(1),
  weight: z.literal("Bolder").optional(),
  size: z.literal("Large").optional(),
  selectAction: openUrl.optional(),
});

/** A message of a Teams workflow. */
export const teamsMessage = z.strictObject({
  type: z.literal("message"),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
        type: z.literal("AdaptiveCard"),
        version: z.literal("1.4"),
        fallbackText: z.string().min(1),
        msteams: z.strictObject({ width: z.literal("Full") }),
        body: z
          .array(z.strictObject({ type: z.literal("RichTextBlock"), inlines: z.array(run).min(1) }))
          .min(1),
        actions: z.array(openUrl.extend({ title: z.string().min(1) })).optional(),
      }),
    }),
  ]),
});

const paragraph = z.strictObject({ textParagraph: z.strictObject({ text: z.string().min(1) }) });
const button = z.strictObject({
  text: z.string().min(1),
  onClick: z.strictObject({ openLink: z.strictObject({ url }) }),
});
const buttonList = z.strictObject({ buttonList: z.strictObject({ buttons: z.array(button).min(1) }) });

/** A message of Google Chat. */
export const googleChatMessage = z.strictObject({
  fallbackText: z.string().min(1),
  cardsV2: z.tuple([
    z.strictObject({
      cardId: z.string().min(1),
      card: z.strictObject({
        header: z.strictObject({ title: z.string().min(1) }),
        sections: z.tuple([z.strictObject({ widgets: z.array(z.union([paragraph, buttonList])).min(1) })]),
      }),
    }),
  ]),
});

/** A message of a Discord webhook, with its documented limits. */
export const discordMessage = z.strictObject({
  content: z.string().min(1).max(2000),
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
  embeds: z.tuple([
    z.strictObject({
      title: z.string().min(1).max(256),
      description: z.string().min(1).max(4096),
      color: z.int().min(0).max(0xffffff).optional(),
      timestamp: z.iso.datetime().optional(),
    }),
  ]),
});

/** Parses the elements of a paragraph. @throws Error if it is malformed, or has unexpected elements */
export function readParagraph(text: string): { links: string[]; rest: string } {
  const links: string[] = [];
  const rest = text.replaceAll(/<a href="([^"<>]*)">|<\/a>|<\/?b>/g, (_tag, to?: string) => {
    if (to !== undefined) links.push(unescapeHtml(to));
    return "";
  });
  if (/[<>"]/.test(rest)) throw new Error(`A character that is not escaped: ${rest}`);
  if (/&(?!amp;|lt;|gt;|quot;)/.test(rest)) throw new Error(`An ampersand that is not escaped: ${rest}`);
  return { links, rest: unescapeHtml(rest) };
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
