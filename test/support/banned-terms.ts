import { readFile } from "node:fs/promises";

const WRITING = new URL("../../docs/contributing/writing.md", import.meta.url);

/**
 * Terms of the table that are also ordinary words or parts of names, so that only a reader can tell: "page", "check run",
 * and "sign in" beside `vrs login`.
 */
const AMBIGUOUS = new Set(
  [
    "accept, adoption, again, alone, ask, at once, check, claim, cover, delivery, done, end, be done",
    "fetch, get, give up, go, inbox, interface, judge, log in, log out, look, main line, may",
    "merge group, merge request, moving, node, organization, page, part, patch, path, picture, place",
    "pr, preview, rig, room, second look, shot, silence, so long, spot, stay, stop, sweep, switch",
    "take, take back, tell, try, turn, turns, verdict, outcome, watch, watcher, who",
  ].flatMap(line => line.split(", ")),
);

/** Words that the rules ban beside the table. */
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

/** Returns the terms that user-facing texts must not contain: of the table in writing.md, those with one meaning. */
export async function bannedTerms(): Promise<string[]> {
  const text = await readFile(WRITING, "utf8");
  const table = /^## Terms\n([\s\S]*?)\n## /m.exec(text)?.[1] ?? text.split("## Terms")[1] ?? "";
  const rows = [...table.matchAll(/^\| (?!Write|---)([^|]+) \| ([^|]+) \|$/gm)];
  const terms = rows.flatMap(([, , banned = ""]) =>
    banned.split(",").map(term =>
      term
        .replace(/\([^)]*\)/g, "")
        .trim()
        .toLowerCase(),
    ),
  );
  return [...new Set([...terms, ...BANNED_BY_RULES])].filter(
    term => term !== "" && !term.includes("…") && !AMBIGUOUS.has(term),
  );
}

/** Returns the banned terms that a text contains, as whole words. */
export function bannedIn(text: string, terms: readonly string[]): string[] {
  return terms.filter(term =>
    new RegExp(`(?<![\\w-])${term.replaceAll(/[^\w\s]/g, "\\$&")}(?![\\w-])`, "i").test(text),
  );
}

/** Returns every text of a catalogue by its name, as `CHECK_ERRORS.unreachable`: functions with a placeholder for each argument. */
export function textsOf(value: unknown, name: string): [name: string, text: string][] {
  if (typeof value === "string") return [[name, value]];
  if (isTextFunction(value)) return textsOf(calledWithSamples(value), name);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(part, name === "" ? key : `${name}.${key}`));
}

type TextFunction = (...values: unknown[]) => unknown;

const isTextFunction = (value: unknown): value is TextFunction => typeof value === "function";

/** Calls a text's function with numbers, and where it wants lists or objects, with those. */
function calledWithSamples(text: TextFunction): unknown {
  const failures: unknown[] = [];
  for (const sample of SAMPLES) {
    try {
      return text(...Array.from({ length: text.length }, () => sample));
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, `no sample fits ${text}`);
}

const SHOT = { route: "/x", viewport: 2, from: null, file: "x.png", kind: "new", size: 2 };
/** Of each kind of argument: a list of whatever, which is also an object with fields, and a number. */
const SAMPLES = [2, ["x"], Object.assign([SHOT], SHOT)];
