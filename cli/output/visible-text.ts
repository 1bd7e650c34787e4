/**
 * A text from a page, a file or a server as it may stand on a terminal: without the characters that would move the
 * cursor, change colours or turn the direction of what follows. Lines stay lines.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, character =>
    character === "\n" || character === "\t" ? character : "\ufffd",
  );
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}
