import { registerHooks } from "node:module";

// The package imports its schemas as JSON without saying so, which Node refuses.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { parseAction } = await import("@actions/workflow-parser/actions/action-parser");
const { NoOperationTraceWriter } = await import("@actions/workflow-parser");
hooks.deregister();

/** What the code host's own schema has against an `action.yml`; empty when it is valid. */
export function actionFailures(content: string): string[] {
  const { context } = parseAction({ name: "action.yml", content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}
