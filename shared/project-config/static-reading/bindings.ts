import type { Expression, ImportDeclaration, Program, VariableDeclaration } from "oxc-parser";
import { INSTEAD, NAME_KINDS, PART_ERRORS } from "../texts.ts";
import { excerpt, type SourceFailure, type Span } from "./reading.ts";

/** The meaning of a name in the file. */
export type Binding =
  | { kind: "constant"; init: Expression; declaredAt: number }
  | { kind: "define-config" }
  | { kind: "unread"; what: string };

/** The relevant statements of a file: its names, its exports, and unsupported statements. */
export interface Module {
  names: Map<string, Binding>;
  exported: Expression[];
  failures: SourceFailure[];
}

type Statement = Program["body"][number];

/** The package of `defineConfig`. Another package's may return something else. */
const OWN_PACKAGE = /^vrs(\/|$)/;

/** Reads a file's statements in order, without evaluating them. */
export function readModule(program: Program, source: string): Module {
  const module: Module = { names: new Map(), exported: [], failures: [] };
  for (const statement of program.body) readStatement(module, statement, source);
  return module;
}

function readStatement(module: Module, statement: Statement, source: string): void {
  switch (statement.type) {
    case "ImportDeclaration":
      declareImports(module, statement);
      return;
    case "VariableDeclaration":
      declareVariables(module, statement);
      return;
    case "ExportNamedDeclaration":
      if (statement.declaration) readStatement(module, statement.declaration, source);
      else readExportedNames(module, statement, source);
      return;
    case "ExportDefaultDeclaration": {
      const { declaration } = statement;
      if (isExpression(declaration)) module.exported.push(declaration);
      else module.failures.push(notFollowed(declaration, source, INSTEAD.exportObject));
      return;
    }
    case "TSExportAssignment":
      module.exported.push(statement.expression);
      return;
    case "ExpressionStatement":
      readExpressionStatement(module, statement, source);
      return;
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      if (statement.id) module.names.set(statement.id.name, { kind: "unread", what: WHAT[statement.type] });
      return;
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "EmptyStatement":
    case "ExportAllDeclaration":
      return;
    default:
      module.failures.push(notFollowed(statement, source, INSTEAD.remove));
  }
}

const WHAT = {
  FunctionDeclaration: NAME_KINDS.function,
  ClassDeclaration: NAME_KINDS.class,
  TSEnumDeclaration: NAME_KINDS.enum,
};

function isExpression(
  node: Extract<Statement, { type: "ExportDefaultDeclaration" }>["declaration"],
): node is Expression {
  return !["FunctionDeclaration", "ClassDeclaration", "TSInterfaceDeclaration"].includes(node.type);
}

function declareImports({ names }: Module, { specifiers, source }: ImportDeclaration): void {
  for (const specifier of specifiers) {
    const imported =
      specifier.type === "ImportSpecifier" &&
      specifier.imported.type === "Identifier" &&
      specifier.imported.name;
    const own = imported === "defineConfig" && OWN_PACKAGE.test(source.value);
    const what = NAME_KINDS.imported(source.value.slice(0, 60));
    names.set(specifier.local.name, own ? { kind: "define-config" } : { kind: "unread", what });
  }
}

function declareVariables({ names }: Module, { kind, declarations }: VariableDeclaration): void {
  for (const { id, init, end } of declarations) {
    if (id.type === "Identifier") {
      const constant = kind === "const" && init;
      const what = NAME_KINDS.declared(kind);
      names.set(id.name, constant ? { kind: "constant", init, declaredAt: end } : { kind: "unread", what });
    }
  }
}

/** Reads `export { config as default }`. */
function readExportedNames(
  module: Module,
  statement: Extract<Statement, { type: "ExportNamedDeclaration" }>,
  source: string,
): void {
  for (const { local, exported } of statement.specifiers) {
    const name = exported.type === "Identifier" ? exported.name : exported.value;
    if (name !== "default") continue;
    if (statement.source === null && local.type === "Identifier") {
      module.exported.push({ type: "Identifier", name: local.name, start: local.start, end: local.end });
    } else {
      module.failures.push(notFollowed(statement, source, INSTEAD.moveHere));
    }
  }
}

/** Reads `module.exports = …`. Directives have no effect here. */
function readExpressionStatement(
  module: Module,
  statement: Extract<Statement, { type: "ExpressionStatement" }>,
  source: string,
): void {
  if (typeof statement.directive === "string") return;
  const { expression } = statement;
  const target = expression.type === "AssignmentExpression" && expression.operator === "=" && expression.left;
  if (target && target.type === "MemberExpression" && !target.computed) {
    const { object, property } = target;
    if (object.type === "Identifier" && object.name === "module" && property.name === "exports") {
      module.exported.push(expression.right);
      return;
    }
  }
  module.failures.push(notFollowed(statement, source, INSTEAD.writeResult));
}

function notFollowed(span: Span, source: string, instead: string): SourceFailure {
  const message = PART_ERRORS.part(excerpt(source, span), PART_ERRORS.notEvaluated(instead));
  return { code: "not-static", start: span.start, end: span.end, message };
}
