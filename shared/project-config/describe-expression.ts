import type { Expression } from "oxc-parser";

/** What an expression that cannot be read is, in words that follow it, and what to write instead. */
export function describeExpression(node: Expression, source: string): string {
  if (isEnvironment(node, source)) {
    return "reads the environment, which is not available because the file is read without running it. Write the value.";
  }
  return SAID[node.type] ?? "can't be read without running the file. Write the value.";
}

const COMPUTED = "is computed, but the file is read without running it. Write the result.";
const CALLED = "is a call, but the file is read without running it. Write the return value.";
const CHOSEN = "depends on a condition, but the file is read without running it. Write the value.";
const FUNCTION = "is a function, not a value. Write the value.";

const SAID: Partial<Record<Expression["type"], string>> = {
  CallExpression: CALLED,
  NewExpression: CALLED,
  TaggedTemplateExpression: CALLED,
  ImportExpression: "is imported. Move its value into this file.",
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
  ClassExpression: "is a class, not a value. Write the value.",
};

/** Whether an expression reads an environment variable, as `process.env.API_URL`. */
export function isEnvironment(node: Expression, source: string): boolean {
  const isPath = node.type === "MemberExpression" || node.type === "ChainExpression";
  return isPath && /^(process|import\.meta)\??\.env\b/.test(source.slice(node.start, node.start + 30));
}
