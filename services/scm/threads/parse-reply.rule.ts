import { COMMENT_BOUNDS } from "../../../shared/contracts/reviews/comments.ts";
import { cut } from "../../../shared/text/text-limits.ts";
import type { References } from "./thread.store.ts";

/** A reply quotes one thread. More links in one comment are not searched. */
const MAX_REFERENCES = 10;

/** The id of a thread in a link to it. Gitea quotes the source of a comment, with the entities that we wrote. */
const THREAD = /[?&](?:amp;|#38;)?comment=(com_\w{1,60})/g;
/** A link to a comment, as the code host gives it. */
const HOST_COMMENT = /#issuecomment-(\d{1,19})/g;

/** Returns the threads and comments that a comment links or quotes. */
export function referencesIn(body: string): References {
  const found = (pattern: RegExp) => {
    const ids = [...body.matchAll(pattern)].map(([, id = ""]) => id);
    return [...new Set(ids)].slice(0, MAX_REFERENCES);
  };
  return { threadIds: found(THREAD), hostIds: found(HOST_COMMENT) };
}

/**
 * Returns the own text of a reply, as plain text: without the quote or the link that names its thread, comments of
 * Markdown, and control characters. It is empty if nothing else is left.
 */
export function replyTextOf(body: string): string {
  const lines = withoutComments(body.replaceAll(/\r\n?/g, "\n")).split("\n");
  const named = lines.findIndex(line => hasReference(line));
  const quote = quoteAround(lines, named);
  const own = lines.filter((line, at) => !(quote && at >= quote.from && at <= quote.to) && !isOnlyLink(line));
  const text = own
    .join("\n")
    .replaceAll(/[^\P{Cc}\n]/gu, " ")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return cut(text, { max: COMMENT_BOUNDS.chars, unit: "utf16" });
}

/** Removes comments of Markdown. Reads the text once, unlike a pattern, which looks for the end of each start. */
function withoutComments(text: string): string {
  let kept = "";
  for (let from = 0; ; ) {
    const start = text.indexOf("<!--", from);
    const end = start === -1 ? -1 : text.indexOf("-->", start + 4);
    if (end === -1) return kept + text.slice(from);
    kept += text.slice(from, start);
    from = end + 3;
  }
}

function hasReference(line: string): boolean {
  const { threadIds, hostIds } = referencesIn(line);
  return threadIds.length + hostIds.length > 0;
}

/** Returns the lines of the quote that names the thread, from its first up to its last. Later quotes are the reply's. */
function quoteAround(lines: string[], named: number): { from: number; to: number } | null {
  const isQuoted = (index: number) => (lines[index] ?? "").trimStart().startsWith(">");
  if (named === -1 || !isQuoted(named)) return null;
  let [from, to] = [named, named];
  while (isQuoted(from - 1)) from--;
  while (isQuoted(to + 1)) to++;
  return { from, to };
}

/** Returns whether a line is nothing but a link to the thread. */
function isOnlyLink(line: string): boolean {
  return hasReference(line) && /^\s*<?https?:\/\/\S+>?\s*$/.test(line);
}
