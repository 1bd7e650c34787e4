/** Declarations of a stylesheet, by `context | selector`. */
export type CssRules = Map<string, Map<string, string>>;

/** A declaration that differs between two versions of a stylesheet. */
export interface ChangedDeclaration {
  selector: string;
  property: string;
  /** Where its source is, such as `src/button.css:12`. */
  source?: string;
  /** Null if there was none. */
  before: string | null;
  after: string | null;
}

/** At-rules that contain rules. */
const CONTAINERS = /^@(?:media|supports|layer|container|scope|starting-style|document)\b/;
const COMMENT = /\/\*.*?\*\//gs;
const MAX_DEPTH = 8;
const MAX_SELECTOR = 500;
const MAX_CHANGES = 5_000;
const SEPARATOR = " | ";

/** An open block: what precedes its brace. */
interface Block {
  prelude: string;
  /** Whether it contains rules only, such as `@media`. */
  isContainer: boolean;
}

/** Is told of each declaration, and where it ends in the stylesheet. */
type OnDeclaration = (selector: string, property: string, offset: number) => void;

/** Reads the rules of a stylesheet. Whatever isn't understood is skipped. */
export function readRules(css: string, onDeclaration?: OnDeclaration): CssRules {
  const rules: CssRules = new Map();
  const blocks: Block[] = [];
  let start = 0;
  let parens = 0;
  const take = (end: number) => {
    const text = css.slice(start, end).replace(COMMENT, "").trim();
    start = end + 1;
    parens = 0;
    return text;
  };
  for (let at = 0; at < css.length; at++) {
    const character = css[at];
    if (character === "/" && css[at + 1] === "*") at = endOf(css, "*/", at + 2);
    else if (character === '"' || character === "'") at = endOfString(css, at);
    else if (character === "(") parens++;
    else if (character === ")") parens--;
    else if (character === "{") {
      const prelude = take(at).replace(/\s+/g, " ");
      blocks.push({ prelude, isContainer: CONTAINERS.test(prelude) });
      if (blocks.length > MAX_DEPTH) return rules;
    } else if (character === "}" || (character === ";" && parens <= 0)) {
      const from = start;
      const declared = declare(rules, blocks, take(at));
      if (declared !== null && onDeclaration !== undefined)
        onDeclaration(...declared, from + Math.max(0, css.slice(from, at).lastIndexOf(declared[1])));
      if (character === "}") blocks.pop();
    }
  }
  return rules;
}

function endOf(css: string, text: string, from: number): number {
  const end = css.indexOf(text, from);
  return end === -1 ? css.length : end + text.length - 1;
}

function endOfString(css: string, start: number): number {
  const quote = css[start];
  for (let at = start + 1; at < css.length; at++) {
    if (css[at] === "\\") at++;
    else if (css[at] === quote || css[at] === "\n") return at;
  }
  return css.length;
}

/** @returns the selector and the property; null if the text is no declaration */
function declare(
  rules: CssRules,
  blocks: readonly Block[],
  text: string,
): [selector: string, property: string] | null {
  const colon = text.indexOf(":");
  if (colon === -1 || blocks.length === 0 || blocks.at(-1)?.isContainer) return null;
  const property = text.slice(0, colon).trim();
  if (!/^[\w-]+$/.test(property)) return null;
  const value = text
    .slice(colon + 1)
    .replace(/\s+/g, " ")
    .trim();
  const context = blocks.flatMap(({ prelude, isContainer }) => (isContainer ? [prelude] : []));
  const selector = blocks
    .flatMap(({ prelude, isContainer }) => (isContainer ? [] : [prelude]))
    .reduce(nested);
  const key = `${context.join(" ")}${SEPARATOR}${selector}`;
  const declarations = rules.get(key) ?? new Map<string, string>();
  declarations.set(property.toLowerCase(), value);
  rules.set(key, declarations);
  return [selector, property.toLowerCase()];
}

/** Returns the selector of a nested rule. It is cut, because `&` can repeat the outer one many times. */
function nested(outer: string, inner: string): string {
  const [own, part] = [outer.slice(0, MAX_SELECTOR), inner.slice(0, MAX_SELECTOR)];
  return (part.includes("&") ? part.replaceAll("&", own) : `${own} ${part}`).slice(0, MAX_SELECTOR);
}

/** Returns the declarations that differ between two versions of a stylesheet. */
export function changedDeclarations(before: CssRules, after: CssRules): ChangedDeclaration[] {
  const changes: ChangedDeclaration[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)];
    const selector = key.slice(key.indexOf(SEPARATOR) + SEPARATOR.length);
    for (const property of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      const [was, is] = [old?.get(property) ?? null, now?.get(property) ?? null];
      if (was !== is && changes.length < MAX_CHANGES)
        changes.push({ selector, property, before: was, after: is });
    }
  }
  return changes;
}
