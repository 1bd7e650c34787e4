import type { Cause } from "../contracts/runs/explanation.ts";
import { causeKey, type DraftCause, isPage } from "./draft-cause.ts";
import { appearanceOf } from "./elements/appearance.ts";
import type { Change, Comparison } from "./find-causes.ts";
import { nameOfFile, nameOfImage } from "./name-of-file.ts";
import { CAUSE_TEXTS, FILE_CHANGES } from "./texts.ts";

/** A group of equal changes, with the text for it. */
export interface GroupedCause extends DraftCause {
  changes: Change[];
}

type Look = (node: number) => string;

/** Changes whose facts don't say what is drawn. */
const DRAWN = new Set<Change["kind"]>(["added", "removed", "shown", "hidden", "reordered"]);

/** Joins equal changes of elements. */
export function groupCauses(comparison: Comparison, changes: readonly Change[]): GroupedCause[] {
  const looks = { before: appearanceOf(comparison.before), after: appearanceOf(comparison.after) };
  const groups = Map.groupBy(changes, change => {
    const name = ruleOf(change) ?? nameOf(comparison, change, false);
    const values = change.kind === "style" || change.kind === "image" || change.kind === "attribute";
    return JSON.stringify([change.kind, change.property, name, values && [change.before, change.after]]);
  });
  return [...groups.values()].map(group => causeOf(comparison, group, looks));
}

function nameOf({ before, after }: Comparison, { old, now }: Change, isAlone: boolean): string {
  return now === -1 ? before.name(old, isAlone) : after.name(now, isAlone);
}

/** Returns the rule that names the elements. The rule of a custom property names others. */
function ruleOf({ rule, variable }: Change): string | null {
  return variable === null ? rule : null;
}

/** Returns what the changes of a group draw, each once, so that the number of elements doesn't matter. */
function contentOf(changes: readonly Change[], looks: { before: Look; after: Look }): string[] {
  const drawn = changes.flatMap(({ kind, old, now, before, after }) => {
    if (kind === "text") return [JSON.stringify([before, after])];
    if (!DRAWN.has(kind)) return [];
    return [kind === "removed" || kind === "hidden" ? looks.before(old) : looks.after(now)];
  });
  return [...new Set(drawn)].sort();
}

function causeOf(
  comparison: Comparison,
  changes: Change[],
  looks: { before: Look; after: Look },
): GroupedCause {
  const [first] = changes;
  if (first === undefined) throw new Error("A group has at least one change.");
  const elements = new Set(changes.map(({ old, now }) => `${old} ${now}`)).size;
  const own = nameOf(comparison, first, elements === 1);
  const { kind, property, rule, file, variable } = first;
  // Different texts of several elements are not one text.
  const isText = kind === "text" && elements > 1;
  const [before, after] = isText ? [null, null] : valuesOf(comparison, first);
  const cause = { kind, selector: own, property, before, after, file, rule };
  const text = withFile(
    textOf(cause, elements, ruleOf(first)),
    { file, variable },
    comparison.after.capsule.url,
  );
  const area = changes.reduce((sum, change) => sum + change.area, 0);
  return {
    ...cause,
    key: causeKey(cause, comparison.after.capsule.url, contentOf(changes, looks)),
    elements,
    text,
    isPageWide: false,
    area,
    changes,
  };
}

/** Returns the values as people know them. */
function valuesOf({ before, after }: Comparison, change: Change): [string | null, string | null] {
  if (change.kind !== "image") return [change.before, change.after];
  const nameIn = (tree: Comparison["after"], url: string | null) =>
    url === null || url === "" ? null : nameOfImage(url, tree.capsule.url);
  return [nameIn(before, change.before), nameIn(after, change.after)];
}

function textOf(
  cause: Omit<Cause, "key" | "text" | "elements">,
  elements: number,
  rule: string | null,
): string {
  const { kind, property, before, after } = cause;
  const selector = rule ?? cause.selector ?? "";
  switch (kind) {
    case "added":
    case "removed":
    case "shown":
    case "hidden":
    case "reordered":
      return CAUSE_TEXTS[kind](cause.selector ?? "", elements);
    case "text":
      if (before === null || after === null) return CAUSE_TEXTS.texts(cause.selector ?? "", elements);
      return CAUSE_TEXTS.text(cause.selector ?? "", before, after);
    case "image":
      return CAUSE_TEXTS.image(cause.selector ?? "", before, after);
    case "resized":
      return CAUSE_TEXTS.resized(selector, before ?? "", after ?? "", elements);
    default:
      return CAUSE_TEXTS.style(selector, property ?? "", before, after, elements);
  }
}

function withFile(text: string, { file, variable }: Pick<Change, "file" | "variable">, page: string): string {
  if (file === null) return text;
  const name = file.source ?? nameOfFile(file.url, page);
  if (isPage(file.url, page) && file.change === "changed") return CAUSE_TEXTS.byPage(text);
  const how = FILE_CHANGES[file.change];
  return variable === null
    ? CAUSE_TEXTS.by(text, name, how)
    : CAUSE_TEXTS.byVariable(text, variable, name, how);
}
