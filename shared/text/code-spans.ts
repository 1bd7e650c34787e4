import { code, escapeMarkdown } from "./code-host-markdown.ts";

/** A part of a text, which may be code. */
export interface TextSpan {
  text: string;
  isCode: boolean;
}

/** Splits a text at its backticks. */
export function codeSpans(text: string): TextSpan[] {
  return text
    .split("`")
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

/** Returns a text without its backticks, for places that can't show code. */
export function plainText(text: string): string {
  return text.replaceAll("`", "");
}

/** Returns a foreign text with its code for the code host's Markdown. */
export function asMarkdown(text: string): string {
  return codeSpans(text)
    .map(span => (span.isCode ? code(span.text) : escapeBetween(span.text)))
    .join("");
}

/** Escapes a text, and keeps a space at its ends, which separates it from code. */
function escapeBetween(text: string): string {
  const [before, after] = [/^\s/.test(text) ? " " : "", /\S\s+$/.test(text) ? " " : ""];
  return before + escapeMarkdown(text) + after;
}
