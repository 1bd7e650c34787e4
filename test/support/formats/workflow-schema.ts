import { registerHooks } from "node:module";

// The package imports its schemas as JSON without import attributes, which Node rejects.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { parseAction } = await import("@actions/workflow-parser/actions/action-parser");
const { NoOperationTraceWriter } = await import("@actions/workflow-parser");
hooks.deregister();

/** Returns the errors of an `action.yml` by the code host's own schema. Empty if it is valid. */
export function actionFailures(content: string): string[] {
  const { context } = parseAction({ name: "action.yml", content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}
