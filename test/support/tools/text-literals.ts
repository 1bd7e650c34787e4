import { parseSync } from "oxc-parser";

/** A text for people in a component's source. */
interface TextLiteral {
  line: number;
  text: string;
}

/**
 * The purpose of a string. Any letter of a `shown` one counts. Of a `plain` one, only sentences and
 * capitalized words count. `program` strings, such as class names, don't count.
 */
type Purpose = "shown" | "plain" | "program";

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** Attributes that browsers show or read aloud, and those of our components. */
const SHOWN = /^(?:aria-(?:label|valuetext|description)|title|placeholder|alt|label|hint|what|word|none)$/;
const LETTER = /\p{L}/u;
const ADDRESS = /^https?:\/\/\S+$/;
const SENTENCE = /\p{L}{2,}[,.:;!?…]? \p{L}{2,}|^\p{Lu}\p{Ll}+(?:[\s.,:;!?…]|$)/u;
/** A selector, a media query, or the path of a shape. */
const NO_SENTENCE = /^[a-z][a-z-]*(?:[:[.#]|, [a-z]+)|^[.#([*]|^\w+ \d/;
/** Children with their parent's purpose, because each may become the parent's value. */
const VALUES: Record<string, readonly string[]> = {
  ConditionalExpression: ["consequent", "alternate"],
  LogicalExpression: ["left", "right"],
  TemplateLiteral: ["quasis"],
  ParenthesizedExpression: ["expression"],
  JSXExpressionContainer: ["expression"],
  ArrayExpression: ["elements"],
};
const NO_TEXT = /^(?:Import|Export(?:All|Named)Declaration$|TS)/;

/** Returns a source's own texts for people, without comments. */
export function textLiterals(filename: string, source: string): TextLiteral[] {
  const found: TextLiteral[] = [];
  const add = ({ start }: Node, text: string, purpose: Purpose) => {
    const isText = purpose === "shown" ? isShownText(text) : SENTENCE.test(text) && !NO_SENTENCE.test(text);
    if (purpose === "program" || !isText) return;
    found.push({ line: source.slice(0, start).split("\n").length, text: text.trim() });
  };
  const visit = (value: unknown, purpose: Purpose): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, purpose);
    if (!isNode(value)) return;
    const text = textOf(value);
    if (text !== null) add(value, text, purpose);
    else for (const [field, child] of Object.entries(value)) visit(child, purposeOf(value, field, purpose));
  };
  visit(parseSync(filename, source).program, "plain");
  return found;
}

/** A single letter names a key. */
function isShownText(text: string): boolean {
  return LETTER.test(text) && text.trim().length > 1 && !ADDRESS.test(text);
}

function purposeOf(parent: Node, field: string, purpose: Purpose): Purpose {
  const { type } = parent;
  if (NO_TEXT.test(type) && field !== "declaration" && field !== "expression") return "program";
  if (type === "JSXElement" || type === "JSXFragment") return field === "children" ? "shown" : "plain";
  if (type === "JSXAttribute") return SHOWN.test(nameOf(parent.name)) ? "shown" : "program";
  if (field === "key" || type === "BinaryExpression") return parent.operator === "+" ? purpose : "program";
  return VALUES[type]?.includes(field) ? purpose : "plain";
}

/** Returns the text of a literal. Null for anything else. */
function textOf({ type, value }: Node): string | null {
  if (type === "JSXText" || type === "Literal") return typeof value === "string" ? value : null;
  if (type !== "TemplateElement" || typeof value !== "object" || value === null) return null;
  return "cooked" in value ? String(value.cooked) : null;
}

function nameOf(name: unknown): string {
  return isNode(name) && typeof name.name === "string" ? name.name : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
