import { fittingLines, remainingLimit, sizeOf, TEXT_LIMITS } from "../../../../shared/text/text-limits.ts";

const { bitbucketComment } = TEXT_LIMITS;

/**
 * The HTML that this service writes into comments, and characters of foreign texts, which are always entities. Bitbucket
 * shows HTML as text.
 */
const OWN_MARKUP =
  /<!-- (?<hidden>.*?) -->|<details><summary>(?<title>.*?)<\/summary>|<a href="(?<href>[^"]*)">(?<linked>.*?)<\/a>|<img src="(?<source>[^"]*)" alt="(?<alt>[^"]*)"[^>]*>|<code>(?<code>.*?)<\/code>|&#(?<character>\d+);|(?<lineBreak><br>)|<\/?(?:details|sub)>/g;

/** Prevents that the characters around it are read together, such as a mention. */
const SEPARATOR = "\u200b";
/** The characters that start Markdown, and that a backslash shows. */
const MARKUP_CHARACTER = /[\\`*_{}[\]()>#+.!|-]/;
/** The characters that start a tag, an entity, deleted text, or the host of a URL, and have no escaped form. */
const STARTS: Record<string, string> = {
  "<": `<${SEPARATOR}`,
  "&": `&${SEPARATOR}`,
  "~": `~${SEPARATOR}`,
  "/": `${SEPARATOR}/`,
};

/** Returns a comment of this service in Bitbucket's Markdown, which has no HTML. */
export function asBitbucketMarkdown(body: string): string {
  return body
    .split("\n")
    .map(line => line.replaceAll(OWN_MARKUP, (...found) => markdownOf(line, found.at(-1))))
    .join("\n");
}

/** Returns a comment of this service as Bitbucket accepts it. Of a long one, the first lines and the last one. */
export function asBitbucketComment(body: string): string {
  const text = asBitbucketMarkdown(body);
  if (sizeOf(text, bitbucketComment.unit) <= bitbucketComment.max) return text;
  const lines = text.trimEnd().split("\n");
  const foot = `\n…\n\n${lines.pop()}`;
  return [...fittingLines(lines, remainingLimit(bitbucketComment, foot)).lines, foot].join("\n");
}

type Markup = Partial<Record<"hidden" | "title" | "href" | "linked" | "source" | "alt", string>> &
  Partial<Record<"code" | "character" | "lineBreak", string>>;

function markdownOf(line: string, found: Markup): string {
  const { hidden, title, href, linked, source, alt = "", code, character } = found;
  // The definition of a link that nothing uses is invisible.
  if (hidden !== undefined) return `[//]: # (${hidden})`;
  if (title !== undefined) return `**${title}**`;
  if (href !== undefined) return `[${asBitbucketMarkdown(linked ?? "")}](${urlOf(href)})`;
  if (source !== undefined) return `![${alt.replaceAll(/[\\`*_[\]]/g, "\\$&")}](${urlOf(source)})`;
  if (code !== undefined) return codeOf(decode(code));
  if (character !== undefined) return escaped(String.fromCodePoint(Number(character)));
  if (found.lineBreak !== undefined) return lineBreakIn(line);
  return "";
}

function decode(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
}

function escaped(character: string): string {
  return MARKUP_CHARACTER.test(character) ? `\\${character}` : (STARTS[character] ?? character);
}

function urlOf(attribute: string): string {
  return decode(attribute).replaceAll(/[()<>\s]/g, character => encodeCharacter(character));
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;
}

function codeOf(text: string): string {
  const inside = (text.match(/`+/g) ?? []).map(({ length }) => length);
  if (inside.length === 0) return `\`${text}\``;
  // A fence that is no longer than one in a foreign text would end there, and the rest would be Markdown.
  const fence = "`".repeat(Math.max(...inside) + 1);
  return `${fence} ${text} ${fence}`;
}

/** A row of a table is one line, and each line of a quote has its own mark. */
function lineBreakIn(line: string): string {
  if (line.startsWith("|")) return " · ";
  return line.startsWith("> ") ? "  \n> " : "  \n";
}
