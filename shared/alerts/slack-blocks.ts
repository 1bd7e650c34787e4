import { cut, cutEscaped, TEXT_LIMITS, type TextLimit } from "../text/text-limits.ts";
import { visibleLine } from "../text/visible-text.ts";

const { slackHeader, slackSection } = TEXT_LIMITS;

/** Returns the first line of a message. */
export function header(text: string): object {
  const shown = cut(visibleLine(text), slackHeader);
  return { type: "header", text: { type: "plain_text", text: shown, emoji: false } };
}

/**
 * Returns a paragraph. With `verbatim`, Slack only makes marked texts links and mentions.
 * @param text in Slack's markup
 */
export function section(text: string): { type: string; text: object } {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

/** Returns a text without effect as Slack's markup, within a limit. */
export function escapeWithin(text: string, limit: TextLimit = slackSection): string {
  return cutEscaped(text, limit, escapeText);
}

/** Escapes the three characters that Slack requires, and those that format text as bold or code. */
export function escapeText(text: string): string {
  return visibleLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*_~`]/g, character => `\u200b${character}`);
}

/** Returns a URL that can't end its own link. */
export function escapeUrl(url: string): string {
  return url.replaceAll("&", "&amp;").replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("|", "%7C");
}
