import { parseSync } from "oxc-parser";

/** Begins the number of a name. It is part of no name. */
const MARK = "§";

type Node = Record<string, unknown> & { type: string; start: number; end: number };

/** A name in a script, and what replaces it. */
interface Use {
  start: number;
  end: number;
  name: string;
  /** Text before it: the key of a shorthand property, which keeps its name. */
  before: string;
}

/**
 * Returns a script with numbers in place of the names that it declares. Minifiers choose short names by the characters
 * of the whole script, so the hash of an imported file can change thousands of them. Names of properties, of exports, and
 * of globals stay. Returns other text unchanged.
 */
export function canonicalScript(text: string): string {
  const { program, errors } = parseSync("script.mjs", text);
  if (errors.length > 0) return text;
  const uses: Use[] = [];
  const declared = new Set<string>();
  visit(program, uses, declared);
  const numbers = new Map<string, number>();
  let result = "";
  let end = 0;
  for (const use of uses.sort((a, b) => a.start - b.start)) {
    if (!declared.has(use.name) || use.start < end) continue;
    const number = numbers.get(use.name) ?? numbers.size;
    numbers.set(use.name, number);
    result += `${text.slice(end, use.start)}${use.before}${MARK}${number}`;
    ({ end } = use);
  }
  return result + text.slice(end);
}

/** Fields that hold names of properties or exports, unless they are computed. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  MemberExpression: ["property"],
  Property: ["key"],
  MethodDefinition: ["key"],
  PropertyDefinition: ["key"],
  AccessorProperty: ["key"],
  ExportAllDeclaration: ["exported"],
  MetaProperty: ["meta", "property"],
};

/** Fields that declare names. */
const DECLARATIONS: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ["id"],
  FunctionDeclaration: ["id", "params"],
  FunctionExpression: ["id", "params"],
  ArrowFunctionExpression: ["params"],
  ClassDeclaration: ["id"],
  ClassExpression: ["id"],
  CatchClause: ["param"],
  ImportSpecifier: ["local"],
  ImportDefaultSpecifier: ["local"],
  ImportNamespaceSpecifier: ["local"],
  LabeledStatement: ["label"],
};

/** Collects the names in a tree, without recursion: minified scripts are nested deeply. */
function visit(program: unknown, uses: Use[], declared: Set<string>): void {
  const open: unknown[] = [program];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) {
      open.push(...value);
      continue;
    }
    if (!isNode(value)) continue;
    if (value.type === "Identifier") uses.push(occurrenceOf(value, ""));
    for (const field of DECLARATIONS[value.type] ?? []) declare(value[field], declared);
    if (value.type === "Property" && value.shorthand === true) {
      visitShorthand(value, uses, open);
      continue;
    }
    if (value.type === "ImportSpecifier" || value.type === "ExportSpecifier") {
      visitSpecifier(value, uses);
      continue;
    }
    const skipped = value.computed === true ? [] : (NAMES[value.type] ?? []);
    for (const [field, child] of Object.entries(value))
      if (typeof child === "object" && child !== null && !skipped.includes(field)) open.push(child);
  }
}

/** In `import { name }` and `export { name }`, both names are the same text. */
function visitSpecifier({ type, local, imported, exported }: Node, uses: Use[]): void {
  const outer = type === "ImportSpecifier" ? imported : exported;
  if (!isNode(local) || local.type !== "Identifier" || !isNode(outer)) return;
  uses.push(occurrenceOf(local, local.start === outer.start ? `${String(outer.name)} as ` : ""));
}

/** The key and the value of `{ name }` and `{ name = 1 }` are the same text. */
function visitShorthand({ value }: Node, uses: Use[], open: unknown[]): void {
  const target = isNode(value) && value.type === "AssignmentPattern" ? value.left : value;
  if (isNode(target) && target.type === "Identifier")
    uses.push(occurrenceOf(target, `${String(target.name)}:`));
  if (isNode(value) && value.type === "AssignmentPattern") open.push(value.right);
}

function occurrenceOf({ start, end, name }: Node, before: string): Use {
  return { start, end, name: String(name), before };
}

/** Adds the names that a pattern declares. */
function declare(pattern: unknown, declared: Set<string>): void {
  if (Array.isArray(pattern)) {
    for (const each of pattern) declare(each, declared);
    return;
  }
  if (!isNode(pattern)) return;
  if (pattern.type === "Identifier") declared.add(String(pattern.name));
  for (const field of ["properties", "elements", "argument", "left", "value"])
    declare(pattern[field], declared);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
