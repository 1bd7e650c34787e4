/**
 * Control characters, line and paragraph separators, characters that turn the direction of what follows, and two that no
 * XML may hold.
 */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/**
 * Returns a text from a page, a file or a server as people may read it anywhere: nothing of it moves a cursor, changes
 * colors or reverses the text beside it. Lines stay lines.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(UNSEEN, character => (character === "\n" || character === "\t" ? character : "\ufffd"));
}

/** Returns a JSON document whose strings have those characters escaped: they read as the same values. */
export function visibleJson(json: string): string {
  // JSON escapes line breaks in strings itself: a raw one is between them.
  return json.replace(UNSEEN, character =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the same on one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}
