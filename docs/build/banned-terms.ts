/** Terms of the table in docs/contributing/writing.md that are also right in other meanings: a program can't tell which it is. */
const AMBIGUOUS = new Set([
  ..."accept adoption again agent anew ask chore claim cover delivery done end fault fetch get go heap inbox judge knob".split(
    " ",
  ),
  ..."look looker may move moving node organization part patch patience path photo picture place preview room rig shoot".split(
    " ",
  ),
  ..."shot share sight silence spot stay stop sweep switch take tell throw try turn turns verdict outcome wander watch".split(
    " ",
  ),
  ..."watcher who whoever workplace check page interface time".split(" "),
  ...[
    "at once",
    "at rest",
    "be done",
    "give up",
    "log in",
    "log out",
    "not there",
    "take back",
    "merge group",
  ],
  ...["page of a run", "that holds", "what differs", "what is left", "so long", "hold until"],
]);
/** Rule 2 of the page, which is no part of its table. */
const PEOPLE = ["somebody", "nobody", "whoever"];

/** A term that isn't used, with what to write instead. */
export interface BannedTerm {
  term: string;
  instead: string;
  pattern: RegExp;
}

/** Returns the terms that are wrong wherever they occur. @param writing the text of docs/contributing/writing.md */
export function bannedTerms(writing: string): BannedTerm[] {
  const table = writing.slice(writing.indexOf("## Terms"), writing.indexOf("## Examples"));
  const rows = [...table.matchAll(/^\| (?!Write|---)(.+?) \| (.+?) \|$/gm)];
  const ofTable = rows.flatMap(([, instead = "", terms = ""]) =>
    terms
      .replace(/\([^)]*\)/g, "")
      .split(",")
      .map(term => term.trim())
      .filter(term => term !== "" && !term.includes("…") && !AMBIGUOUS.has(term))
      .map(term => ({ term, instead })),
  );
  const people = PEOPLE.map(term => ({ term, instead: "you, members, or no pronoun" }));
  return [...ofTable, ...people].map(each => ({
    ...each,
    pattern: new RegExp(`(?<![\\w-])${each.term}(?![\\w-])`, "i"),
  }));
}
