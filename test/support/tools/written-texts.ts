import { parseSync } from "oxc-parser";

/** A complete text of a source, with `…` for each placeholder. */
interface WrittenText {
  line: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const PLACEHOLDER = "…";
const NO_TEXT = /^(?:Import|Export(?:All|Named)Declaration$|TS)/;

/** Returns every string of a source, of all branches. Templates and concatenations are one text. */
export function writtenTexts(filename: string, source: string): WrittenText[] {
  const found: WrittenText[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isNode(value)) return;
    const text = textOf(value);
    if (text !== null) found.push({ line: source.slice(0, value.start).split("\n").length, text });
    for (const [field, child] of Object.entries(value)) {
      const isProgram = NO_TEXT.test(value.type) && field !== "declaration" && field !== "expression";
      // A part of a text is not a text itself, except inside its placeholders.
      if (!isProgram && field !== "key") visit(text === null ? child : placeholdersOf(child));
    }
  };
  visit(parseSync(filename, source).program);
  return found;
}

/** Returns the text of a literal, a template, or a concatenation. Null for anything else. */
function textOf(node: Node): string | null {
  const { type, value, quasis, left, right, operator } = node;
  if (type === "Literal") return typeof value === "string" ? value : null;
  if (type === "TemplateLiteral" && Array.isArray(quasis)) return quasis.map(cooked).join(PLACEHOLDER);
  if (type !== "BinaryExpression" || operator !== "+" || !isNode(left) || !isNode(right)) return null;
  const [before, after] = [textOf(left), textOf(right)];
  return before === null && after === null ? null : `${before ?? PLACEHOLDER}${after ?? PLACEHOLDER}`;
}

/** Returns the expressions inside a part of a text. */
function placeholdersOf(part: unknown): unknown[] {
  if (Array.isArray(part)) return part.flatMap(placeholdersOf);
  if (!isNode(part) || part.type === "TemplateElement" || part.type === "Literal") return [];
  if (part.type === "TemplateLiteral") return placeholdersOf(part.expressions);
  if (part.type === "BinaryExpression" && textOf(part) !== null)
    return [...placeholdersOf(part.left), ...placeholdersOf(part.right)];
  return [part];
}

function cooked(quasi: unknown): string {
  const value = isNode(quasi) ? quasi.value : null;
  return typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
