import { cut, cutEscaped, fittingLines, remainingLimit, TEXT_LIMITS } from "../text/text-limits.ts";
import { visibleLine } from "../text/visible-text.ts";
import type { CardText, ChatCard } from "./chat-card.ts";
import { CHAT_TEXTS } from "./texts.ts";

const { cardText, discordContent, discordTitle, discordDescription } = TEXT_LIMITS;

/** Amber, red and green, as in the dashboard. */
const COLORS = { changed: 0xd29922, down: 0xd1242f, recovered: 0x2da44e };
/** Room for the line that counts the pages that are left out. */
const MORE_LINE_UNITS = 50;

/** Types and styles of components (https://discord.com/developers/docs/components/reference). */
const [ACTION_ROW, BUTTON] = [1, 2];
const STYLES = { success: 3, danger: 4 };

/**
 * Returns a message for a Discord webhook: the title, and an embed. Its links are text. Only webhooks of an application
 * can have buttons.
 */
export function discordBody({
  title,
  intro,
  pages,
  left,
  buttons,
  tone,
  at,
  actions = [],
}: ChatCard): object {
  const links = buttons.map(button => markdown([{ text: button.label, url: button.url }])).join(" · ");
  const head = intro.map(markdown);
  const room = remainingLimit(discordDescription, head.join("\n"), links, MORE_LINE_UNITS);
  const fitting = fittingLines(
    pages.map(line => `• ${markdown(line)}`),
    room,
  );
  const more = left + fitting.left;
  const lines = [
    ...head,
    ...fitting.lines,
    ...(more > 0 ? [CHAT_TEXTS.more(more)] : []),
    ...(links === "" ? [] : [links]),
  ];
  return {
    ...discordText(title),
    embeds: [
      {
        title: cutEscaped(title, discordTitle, escapeDiscord),
        ...(lines.length > 0 && { description: lines.join("\n") }),
        ...(tone && { color: COLORS[tone] }),
        ...(at !== undefined && { timestamp: at }),
      },
    ],
    ...(actions.length > 0 && { components: [{ type: ACTION_ROW, components: actions.map(buttonOf) }] }),
  };
}

function buttonOf({ id, value, label, isPositive }: NonNullable<ChatCard["actions"]>[number]): object {
  const style = isPositive ? STYLES.success : STYLES.danger;
  return { type: BUTTON, style, label, custom_id: `${id}:${value}` };
}

/** Returns a message of one line. Texts of a page must not mention anyone. */
export function discordText(title: string): object {
  return { content: cutEscaped(title, discordContent, escapeDiscord), allowed_mentions: { parse: [] } };
}

function markdown(line: CardText[]): string {
  return line
    .map(({ text, url, isBold }) => {
      const escaped = spaced(cut(text, cardText));
      // Discord shows no link whose text is a URL. It links that URL itself.
      if (url !== undefined && isPlain(url) && !/^\s*https?:/i.test(text)) return `[${escaped}](${url})`;
      return isBold ? `**${escaped}**` : escaped;
    })
    .join("");
}

/** Spaces at the ends separate the parts of a line. */
function spaced(text: string): string {
  const [start = "", end = ""] = [/^\s/.test(text) ? " " : "", /\S\s+$/.test(text) ? " " : ""];
  return `${start}${escapeDiscord(text)}${end}`;
}

/** Whether a URL can't end its link early. */
function isPlain(url: string): boolean {
  return /^https?:\/\/[^\s()<>[\]\\]+$/.test(url);
}

/** Returns a text without effect as Discord's markup. URLs stay clickable. */
export function escapeDiscord(text: string): string {
  return visibleLine(text).replaceAll(/https?:\/\/\S+|[\\*_~`|<>[\]]/g, found =>
    found.length > 1 ? found.replaceAll(/[<>]/g, "") : `\\${found}`,
  );
}
