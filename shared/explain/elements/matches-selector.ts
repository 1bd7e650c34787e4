import type { PageTree } from "./page-tree.ts";

/** A compound selector, and how it relates to the one before. */
interface Compound {
  combinator: " " | ">" | "+" | "~";
  tag: string | null;
  id: string | null;
  classes: string[];
  attributes: { name: string; value: string | null }[];
  pseudoElement: string | null;
  /** Whether it describes a state that a screenshot doesn't have, such as hover. */
  isTransient: boolean;
}

const MAX_CHARS = 500;
/** A character of a name that is escaped by its code, as in `\31 0px`, or by itself, as in `md\:flex`. */
const ESCAPE = String.raw`\\[0-9a-fA-F]{1,6}\s?|\\.`;
const NAME = String.raw`((?:${ESCAPE}|[\w-]|[^\x00-\x7f])+)`;
const ID = new RegExp(`#${NAME}`);
const CLASS = new RegExp(String.raw`(?<!\\)\.${NAME}`, "g");
const ESCAPE_OR_ATTRIBUTE = new RegExp(String.raw`${ESCAPE}|\[[^\]]*\]`, "g");
const TOKEN = new RegExp(String.raw`[>+~]|(?:${ESCAPE}|\[[^\]]*\]|[^\s>+~[\\])+`, "g");
const TRANSIENT = /(?<!\\):(?:hover|active|focus|focus-visible|focus-within|target)\b/;
const known = new Map<string, Compound[][]>();
const MAX_KNOWN = 5_000;

/**
 * Returns whether a selector matches an element, as far as the capsule tells. Pseudo-classes that it can't tell are
 * taken to match.
 */
export function matchesSelector(tree: PageTree, node: number, selector: string): boolean {
  return alternativesOf(selector).some(compounds => matchesAt(tree, node, compounds, compounds.length - 1));
}

function alternativesOf(selector: string): Compound[][] {
  const earlier = known.get(selector);
  if (earlier !== undefined) return earlier;
  const parsed = splitList(selector.slice(0, MAX_CHARS)).map(readCompounds);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(selector, parsed);
  return parsed;
}

/** Splits a list of selectors at its commas, outside of brackets. */
function splitList(selector: string): string[] {
  const parts = [""];
  let depth = 0;
  // An escaped character is part of a name.
  for (const [character] of selector.matchAll(/\\.|./gs)) {
    if (character === "(" || character === "[") depth++;
    if (character === ")" || character === "]") depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function readCompounds(selector: string): Compound[] {
  const compounds: Compound[] = [];
  let combinator: Compound["combinator"] = " ";
  // Arguments of pseudo-classes can't be told apart here.
  const plain = withoutArguments(selector.replaceAll("&", "")).trim();
  for (const [token] of plain.matchAll(TOKEN)) {
    if (token === ">" || token === "+" || token === "~") {
      combinator = token;
      continue;
    }
    compounds.push(readCompound(token, combinator));
    combinator = " ";
  }
  return compounds;
}

function withoutArguments(selector: string): string {
  let depth = 0;
  let kept = "";
  for (const [character] of selector.matchAll(/\\.|./gs)) {
    if (character === "(") depth++;
    if (depth === 0) kept += character;
    if (character === ")") depth = Math.max(0, depth - 1);
  }
  return kept;
}

function readCompound(token: string, combinator: Compound["combinator"]): Compound {
  const names = token.replace(ESCAPE_OR_ATTRIBUTE, part => (part.startsWith("\\") ? part : ""));
  const attributes = [
    ...token.matchAll(/(?<!\\)\[\s*([\w-]+)\s*(?:[~|^$*]?=\s*["']?([^"'\]]*)["']?)?[^\]]*\]/g),
  ];
  return {
    combinator,
    tag: /^[a-z][\w-]*/i.exec(names)?.[0].toLowerCase() ?? (names.startsWith(":root") ? "html" : null),
    id: unescaped(ID.exec(names)?.[1]),
    classes: [...names.matchAll(CLASS)].map(match => unescaped(match[1]) ?? ""),
    attributes: attributes.map(([, name = "", value]) => ({ name, value: value ?? null })),
    pseudoElement: /(?<!\\)::?(before|after|marker|placeholder|backdrop)\b/.exec(names)?.[1] ?? null,
    isTransient: TRANSIENT.test(names),
  };
}

/** Returns a name without its escapes; null if there is none. */
function unescaped(name: string | undefined): string | null {
  if (name === undefined) return null;
  return name.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|(.))/gs, (_, code?: string, character = "") =>
    code === undefined ? character : characterOf(Number.parseInt(code, 16)),
  );
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

function matchesAt(tree: PageTree, node: number, compounds: Compound[], at: number): boolean {
  const compound = compounds[at];
  if (compound === undefined || node < 0) return false;
  const { pseudoElement } = compound;
  const own = pseudoElement !== null && tree.tag(node) === `::${pseudoElement}` ? tree.parent(node) : node;
  if ((pseudoElement !== null) !== (own !== node) || !matchesCompound(tree, own, compound)) return false;
  if (at === 0) return true;
  if (compound.combinator === ">") return matchesAt(tree, tree.parent(own), compounds, at - 1);
  if (compound.combinator === " ") {
    for (let above = tree.parent(own); above >= 0; above = tree.parent(above))
      if (matchesAt(tree, above, compounds, at - 1)) return true;
    return false;
  }
  const siblings = tree.children[tree.parent(own)] ?? [];
  const earlier = siblings.slice(0, siblings.indexOf(own));
  const candidates = compound.combinator === "+" ? earlier.slice(-1) : earlier;
  return candidates.some(sibling => matchesAt(tree, sibling, compounds, at - 1));
}

function matchesCompound(tree: PageTree, node: number, compound: Compound): boolean {
  if (compound.isTransient) return false;
  if (compound.tag !== null && compound.tag !== tree.tag(node)) return false;
  if (compound.id !== null && compound.id !== tree.attribute(node, "id")) return false;
  const classes = compound.classes.length > 0 ? tree.classes(node) : [];
  if (!compound.classes.every(name => classes.includes(name))) return false;
  return compound.attributes.every(({ name, value }) => {
    const attribute = tree.attributes(node).get(name);
    // Most attributes are not in the capsule.
    return attribute === undefined
      ? !/^(?:type|role|hidden|disabled|aria-)/.test(name)
      : matchesValue(attribute, value);
  });
}

function matchesValue(attribute: string, value: string | null): boolean {
  return value === null || attribute.includes(value);
}
