import { type AccessibilityChange, EXPLANATION_BOUNDS } from "../contracts/runs/explanation.ts";
import { contrastOf, requiredContrast } from "./contrast.ts";
import type { Matches } from "./elements/match-nodes.ts";
import type { PageTree } from "./elements/page-tree.ts";
import { ACCESSIBILITY_TEXTS } from "./texts.ts";

/** Roles of elements, and whether their contents name them. */
const ROLES: Record<string, string> = {
  ...{ a: "link", button: "button", img: "image", input: "textbox", textarea: "textbox", select: "combobox" },
  ...{ h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading" },
  ...{ nav: "navigation", main: "main", header: "banner", footer: "contentinfo", aside: "complementary" },
  ...{ ul: "list", ol: "list", table: "table", form: "form", dialog: "dialog", summary: "button" },
};
const INPUT_ROLES: Record<string, string> = {
  ...{ checkbox: "checkbox", radio: "radio", range: "slider", search: "searchbox", number: "spinbutton" },
  ...{ button: "button", submit: "button", reset: "button", image: "button", hidden: "" },
};
const NAMED_BY_CONTENTS = new Set([
  "link",
  "button",
  "heading",
  "checkbox",
  "radio",
  "tab",
  "menuitem",
  "option",
]);
/** Roles that need a name. */
const NAMED = new Set([
  ...NAMED_BY_CONTENTS,
  "image",
  "textbox",
  "combobox",
  "slider",
  "searchbox",
  "spinbutton",
]);
const MAX_DEPTH = 20;
const MAX_NAME_CHARS = 200;

/** Fields, whose label may be another element. */
const LABELLED = new Set(["input", "textarea", "select"]);

/** Finds what changed for assistive technology: names, roles, and contrast that fell below AA. */
export function findAccessibilityChanges(
  before: PageTree,
  after: PageTree,
  { toBefore, isEqual }: Matches,
): AccessibilityChange[] {
  const found: AccessibilityChange[] = [];
  const recolored = findRecolored(before, after, toBefore);
  const contrasts = new Map<string, AccessibilityChange & { elements: number }>();
  for (let node = 0; node < after.size; node++) {
    const old = toBefore[node] ?? -1;
    if (old === -1 || after.styleIndex(node) === -1 || before.styleIndex(old) === -1) continue;
    if (!isEqual(old, node) || LABELLED.has(after.tag(node)))
      found.push(...compareNames(before, after, old, node));
    const contrast = recolored[node] === 1 ? compareContrast(before, after, old, node) : null;
    if (contrast === null) continue;
    const key = `${contrast.selector} ${contrast.before} ${contrast.after}`;
    contrasts.set(key, { ...contrast, elements: (contrasts.get(key)?.elements ?? 0) + 1 });
  }
  const fallen = [...contrasts.values()].map(({ elements, ...change }) => {
    const text = ACCESSIBILITY_TEXTS.contrast(
      change.selector,
      change.before ?? "",
      change.after ?? "",
      elements,
    );
    return { ...change, text };
  });
  return [...found, ...fallen].slice(0, EXPLANATION_BOUNDS.accessibility);
}

/** Properties that the contrast of an element's text depends on, of itself and of what is behind it. */
const CONTRAST = [
  ...["color", "background-color", "background-image", "opacity", "visibility", "font-size", "font-weight"],
];

/** Finds the elements whose contrast may differ: something about them, or about an element around them, does. */
function findRecolored(before: PageTree, after: PageTree, toBefore: Int32Array): Uint8Array {
  const found = new Uint8Array(after.size);
  const known = new Map<number, boolean>();
  const isOther = (old: number, now: number) =>
    CONTRAST.some(name => before.valueOf(old, name) !== after.valueOf(now, name));
  for (let node = 0; node < after.size; node++) {
    const [old, parent] = [toBefore[node] ?? -1, after.parent(node)];
    if (old === -1) continue;
    const [was, is] = [before.styleIndex(old), after.styleIndex(node)];
    const key = was * after.capsule.styles.length + is;
    const differs = known.get(key) ?? isOther(was, is);
    known.set(key, differs);
    const isElsewhere = parent >= 0 && toBefore[parent] !== before.parent(old);
    if (differs || isElsewhere || found[parent] === 1) found[node] = 1;
  }
  return found;
}

function compareNames(before: PageTree, after: PageTree, old: number, now: number): AccessibilityChange[] {
  const [was, is] = [roleOf(before, old), roleOf(after, now)];
  const selector = after.name(now);
  if (was !== is) {
    const text = ACCESSIBILITY_TEXTS.roleChanged(selector, was || "none", is || "none");
    return [{ kind: "role_changed", text, selector, before: was || null, after: is || null }];
  }
  if (!NAMED.has(is)) return [];
  const [named, renamed] = [nameOf(before, old, was), nameOf(after, now, is)];
  if (named === null || renamed === null || named === renamed || named === "") return [];
  if (renamed === "") {
    const text = ACCESSIBILITY_TEXTS.nameLost(selector, is);
    return [{ kind: "name_lost", text, selector, before: named, after: null }];
  }
  // A changed text is listed as such.
  const isText = NAMED_BY_CONTENTS.has(is) && textOf(before, old) === named && textOf(after, now) === renamed;
  const text = ACCESSIBILITY_TEXTS.nameChanged(selector, named, renamed);
  return isText ? [] : [{ kind: "name_changed", text, selector, before: named, after: renamed }];
}

function roleOf(tree: PageTree, node: number): string {
  const explicit = tree.attribute(node, "role").split(" ")[0] ?? "";
  if (explicit !== "") return explicit === "presentation" || explicit === "none" ? "" : explicit;
  const tag = tree.tag(node);
  if (tag === "a" && !tree.attributes(node).has("href")) return "";
  if (tag === "img" && tree.attributes(node).has("alt") && tree.attribute(node, "alt") === "") return "";
  if (tag === "input") return INPUT_ROLES[tree.attribute(node, "type")] ?? "textbox";
  return ROLES[tag] ?? "";
}

/** Returns the accessible name, as far as the capsule tells. Null if it is that of elements that aren't there. */
function nameOf(tree: PageTree, node: number, role: string): string | null {
  const by = tree.attribute(node, "aria-labelledby");
  const ids = by.split(/\s+/).filter(id => id !== "");
  const referenced = ids.flatMap(id => tree.elementById(id) ?? []);
  const texts = referenced.map(each => textOf(tree, each)).filter(text => text !== "");
  const labelled = texts.join(" ") || tree.attribute(node, "aria-label") || tree.attribute(node, "alt");
  if (labelled !== "") return labelled;
  if (by !== "") return null;
  const contents = NAMED_BY_CONTENTS.has(role) ? textOf(tree, node) : labelOf(tree, node);
  return contents || tree.attribute(node, "title") || tree.attribute(node, "placeholder");
}

/** Returns the text of the label around a field, or of one that refers to it. */
function labelOf(tree: PageTree, node: number): string {
  for (
    let above = tree.parent(node), depth = 0;
    above >= 0 && depth < MAX_DEPTH;
    above = tree.parent(above), depth++
  )
    if (tree.tag(above) === "label") return textOf(tree, above);
  const id = tree.attribute(node, "id");
  if (id === "") return "";
  const siblings = tree.children[tree.parent(node)] ?? [];
  const label = siblings.find(sibling => tree.attribute(sibling, "for") === id);
  return label === undefined ? "" : textOf(tree, label);
}

function textOf(tree: PageTree, node: number, depth = 0): string {
  if (depth > MAX_DEPTH || tree.attribute(node, "aria-hidden") === "true") return "";
  const own = [tree.text(node), tree.attribute(node, "aria-label") || tree.attribute(node, "alt")];
  const contents = (tree.children[node] ?? [])
    .slice(0, MAX_DEPTH)
    .map(child => textOf(tree, child, depth + 1));
  return [...own, ...contents]
    .filter(text => text !== "")
    .join(" ")
    .slice(0, MAX_NAME_CHARS);
}

function compareContrast(
  before: PageTree,
  after: PageTree,
  old: number,
  now: number,
): AccessibilityChange | null {
  if (after.text(now) === "" || before.text(old) === "") return null;
  const is = contrastOf(after, now);
  const required = requiredContrast(after, now);
  if (is === null || is >= required) return null;
  const was = contrastOf(before, old);
  if (was === null || was < requiredContrast(before, old)) return null;
  const selector = after.name(now, false);
  const shown = (ratio: number) => `${ratio.toFixed(2)}:1`;
  return { kind: "contrast", text: "", selector, before: shown(was), after: shown(is) };
}
