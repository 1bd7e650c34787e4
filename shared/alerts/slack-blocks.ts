import { cut, cutEscaped, TEXT_LIMITS, type TextLimit } from "../text/text-limits.ts";
import { visibleLine } from "../text/visible-text.ts";

const { slackHeader, slackSection } = TEXT_LIMITS;

/** The first line of a message. */
export function header(text: string): object {
  const shown = cut(visibleLine(text), slackHeader);
  return { type: "header", text: { type: "plain_text", text: shown, emoji: false } };
}

/** A paragraph. Verbatim: Slack makes links and mentions of nothing but what is marked as one. @param text in Slack's markup */
export function section(text: string): { type: string; text: object } {
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

/** A text in Slack's markup, of which it means nothing, and within a limit. */
export function escapeWithin(text: string, limit: TextLimit = slackSection): string {
  return cutEscaped(text, limit, escapeText);
}

/** The three characters that Slack wants escaped, and those that would set a text in bold or as code. */
export function escapeText(text: string): string {
  return visibleLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*_~`]/g, character => `\u200b${character}`);
}

/** An address that cannot end its own link. */
export function escapeUrl(url: string): string {
  return url.replaceAll("&", "&amp;").replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("|", "%7C");
}
