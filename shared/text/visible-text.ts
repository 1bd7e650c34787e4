/**
 * Control characters, line and paragraph separators, bidirectional controls, and two characters that XML
 * can't contain.
 */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/**
 * Makes a foreign text safe to show anywhere. It can't move a cursor, change colors, or reverse other text.
 * Lines stay lines.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(INVISIBLE, character => (character === "\n" || character === "\t" ? character : "\ufffd"));
}

/** Escapes those characters in the strings of a JSON document. The values stay the same. */
export function visibleJson(json: string): string {
  // JSON escapes line breaks in strings. A raw one is between them.
  return json.replace(INVISIBLE, character =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the same text on one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}
