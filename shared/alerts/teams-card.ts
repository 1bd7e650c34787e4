import { cut, TEXT_LIMITS } from "../text/text-limits.ts";
import { visibleLine } from "../text/visible-text.ts";
import type { CardText, ChatCard } from "./chat-card.ts";
import { CHAT_TEXTS } from "./texts.ts";

const { cardTitle, cardText } = TEXT_LIMITS;

/**
 * Returns a message for a Teams workflow: an Adaptive Card in the envelope that its trigger takes. Teams reads no
 * Markdown in text runs, so names have no effect.
 */
export function teamsBody({ title, intro, pages, left, buttons }: ChatCard): object {
  const more: CardText[][] = left > 0 ? [[{ text: CHAT_TEXTS.more(left) }]] : [];
  const heading = { ...run({ text: cut(title, cardTitle), isBold: true }), size: "Large" };
  const lines = [...intro, ...pages, ...more];
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    // Shown by notifications and older clients.
    fallbackText: visibleLine(cut(title, cardTitle)),
    msteams: { width: "Full" },
    body: [block([heading]), ...lines.map(line => block(line.map(run)))],
    ...(buttons.length > 0 && {
      actions: buttons.map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url })),
    }),
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
  };
}

function block(inlines: object[]): object {
  return { type: "RichTextBlock", inlines };
}

function run({ text, url, isBold }: CardText): object {
  return {
    type: "TextRun",
    // Spaces at the ends separate runs.
    text: cut(spaced(text), cardText),
    ...(isBold && { weight: "Bolder" }),
    ...(url !== undefined && { selectAction: { type: "Action.OpenUrl", url } }),
  };
}

function spaced(text: string): string {
  const start = /^\s/.test(text) ? " " : "";
  const end = /\s$/.test(text) && text.trim() !== "" ? " " : "";
  return `${start}${visibleLine(text)}${end}`;
}
