import { registerHooks } from "node:module";

/** Imports the code host's own parser of workflows, which imports JSON like bundlers do. */
export async function importWorkflowParser() {
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const isJson = url.includes("/@actions/") && url.endsWith(".json");
      return nextLoad(url, isJson ? { ...context, importAttributes: { type: "json" } } : context);
    },
  });
  try {
    return await import("@actions/workflow-parser");
  } finally {
    hooks.deregister();
  }
}
