import { sizeOf, TEXT_LIMITS } from "../text/text-limits.ts";
import type { CardText, ChatCard } from "./chat-card.ts";
import type { CardTool } from "./chat-tool.ts";
import { discordBody, discordText } from "./discord-card.ts";
import { googleChatBody, googleChatText } from "./google-chat-card.ts";
import { teamsBody } from "./teams-card.ts";

/** Longer links are left out, and only their text is shown. */
const MAX_LINK_UNITS = 1_000;

/** Returns the body of a message with as many pages as fit into the tool's limit. */
export function cardBody(tool: CardTool, card: ChatCard): object {
  const { render, limit } = TOOLS[tool];
  const linked = dropLongLinks(card);
  for (let shown = linked.pages.length; ; shown--) {
    const left = linked.left + linked.pages.length - shown;
    const body = render({ ...linked, pages: linked.pages.slice(0, shown), left });
    if (shown === 0 || sizeOf(JSON.stringify(body), limit.unit) <= limit.max) return body;
  }
}

/** Returns the message in one line, for a tool that refuses the whole message. */
export function briefBody(tool: CardTool, title: string): object {
  if (tool === "google-chat") return { text: googleChatText(title) };
  if (tool === "discord") return discordText(title);
  return teamsBody({ title, intro: [], pages: [], left: 0, buttons: [] });
}

const TOOLS = {
  teams: { render: teamsBody, limit: TEXT_LIMITS.teamsMessage },
  discord: { render: discordBody, limit: TEXT_LIMITS.discordMessage },
  "google-chat": { render: googleChatBody, limit: TEXT_LIMITS.googleChatMessage },
};

function dropLongLinks(card: ChatCard): ChatCard {
  const short = ({ url, ...rest }: CardText): CardText =>
    url !== undefined && url.length <= MAX_LINK_UNITS ? { ...rest, url } : rest;
  return {
    ...card,
    intro: card.intro.map(line => line.map(short)),
    pages: card.pages.map(line => line.map(short)),
    buttons: card.buttons.filter(({ url }) => url.length <= MAX_LINK_UNITS),
  };
}
