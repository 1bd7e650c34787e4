import { cut } from "./cut.ts";

/** Limits of Slack's Block Kit, in characters. */
const HEADER = 150;
export const SECTION = 3_000;

/** The first line of a message. */
export function header(text: string): object {
  return { type: "header", text: { type: "plain_text", text: cut(text, HEADER), emoji: false } };
}

/** A paragraph. @param text in Slack's markup */
export function section(text: string): { type: string; text: object } {
  return { type: "section", text: { type: "mrkdwn", text } };
}

/** A text in Slack's markup, of which it means nothing, and no longer than this. */
export function escapeWithin(text: string, max: number): string {
  let shown = text;
  while (escapeText(shown).length > max) shown = cut(shown, Math.floor(shown.length * 0.8));
  return escapeText(shown);
}

/** The three characters that Slack wants escaped, and those that would set a text in bold or as code. */
export function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*_~`]/g, character => `\u200b${character}`);
}

/** An address that cannot end its own link. */
export function escapeUrl(url: string): string {
  return url.replaceAll("&", "&amp;").replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll("|", "%7C");
}
