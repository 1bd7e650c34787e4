import { readFileSync } from "node:fs";

const WRITING = new URL("../contributing/writing.md", import.meta.url);

/**
 * Terms of the table in docs/contributing/writing.md that are also ordinary words or parts of names. Only a
 * reader can tell: "page", "check run", and "sign in" beside `vrs login`.
 */
const AMBIGUOUS = new Set(
  [
    "accept, adoption, again, alone, ask, at once, at rest, check, claim, cover, delivery, done, end, be done",
    "fetch, get, give up, go, inbox, interface, judge, log in, log out, look, main line, may",
    "merge group, merge request, moving, node, organization, page, part, patch, path, picture, place",
    "pr, preview, rig, room, second look, shot, silence, so long, spot, stay, stop, sweep, switch",
    "take, take back, tell, try, turn, turns, verdict, outcome, watch, watcher, who",
  ].flatMap(line => line.split(", ")),
);

/** Words that the page's rules ban in addition to its table. */
const BANNED_BY_RULES = [
  "somebody",
  "nobody",
  "whoever",
  "she",
  "her",
  "hers",
  "he",
  "of late",
  "kept moving",
];

/** A banned term, with its replacement. */
export interface BannedTerm {
  term: string;
  instead: string;
  pattern: RegExp;
}

/**
 * Returns the terms that no text of the docs or the interface may contain: those of the table with only one
 * meaning.
 */
export function bannedTerms(): BannedTerm[] {
  const writing = readFileSync(WRITING, "utf8");
  const table = writing.slice(writing.indexOf("## Terms"), writing.indexOf("## Examples"));
  const rows = [...table.matchAll(/^\| (?!Write|---)([^|]+) \| ([^|]+) \|$/gm)];
  const ofTable = rows.flatMap(([, instead = "", terms = ""]) =>
    terms
      .replaceAll(/\([^)]*\)/g, "")
      .split(",")
      .map(term => ({ term: term.trim().toLowerCase(), instead })),
  );
  const ofRules = BANNED_BY_RULES.map(term => ({ term, instead: "you, members, or no pronoun" }));
  const found = new Map<string, BannedTerm>();
  for (const { term, instead } of [...ofTable, ...ofRules])
    if (term !== "" && !term.includes("…") && !AMBIGUOUS.has(term) && !found.has(term))
      found.set(term, { term, instead, pattern: wholeWord(term) });
  return [...found.values()];
}

const TERMS = bannedTerms();

/** Returns the banned terms that a text contains, as whole words. */
export function bannedIn(text: string): string[] {
  return TERMS.filter(({ pattern }) => pattern.test(text)).map(({ term }) => term);
}

function wholeWord(term: string): RegExp {
  return new RegExp(`(?<![\\w-])${term.replaceAll(/[^\w\s]/g, "\\$&")}(?![\\w-])`, "i");
}
