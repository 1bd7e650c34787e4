import type { Expression } from "oxc-parser";
import { PART_ERRORS } from "../texts.ts";

/** Describes an unreadable expression, in words that follow it, and what to write instead. */
export function describeExpression(node: Expression, source: string): string {
  if (isEnvironment(node, source)) {
    return PART_ERRORS.environment;
  }
  return DESCRIPTIONS[node.type] ?? PART_ERRORS.unreadable;
}

const { computed: COMPUTED, called: CALLED, conditional: CHOSEN, function: FUNCTION } = PART_ERRORS;

const DESCRIPTIONS: Partial<Record<Expression["type"], string>> = {
  CallExpression: CALLED,
  NewExpression: CALLED,
  TaggedTemplateExpression: CALLED,
  ImportExpression: PART_ERRORS.imported,
  AwaitExpression: CALLED,
  BinaryExpression: COMPUTED,
  UnaryExpression: COMPUTED,
  UpdateExpression: COMPUTED,
  AssignmentExpression: COMPUTED,
  SequenceExpression: COMPUTED,
  ConditionalExpression: CHOSEN,
  LogicalExpression: CHOSEN,
  ChainExpression: CHOSEN,
  ArrowFunctionExpression: FUNCTION,
  FunctionExpression: FUNCTION,
  ClassExpression: PART_ERRORS.class,
};

/** Returns whether an expression reads an environment variable, such as `process.env.API_URL`. */
export function isEnvironment(node: Expression, source: string): boolean {
  const isPath = node.type === "MemberExpression" || node.type === "ChainExpression";
  return isPath && /^(process|import\.meta)\??\.env\b/.test(source.slice(node.start, node.start + 30));
}
