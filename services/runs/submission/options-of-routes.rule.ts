import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";

/** Returns the options without those of routes that the run doesn't have. */
export function optionsOfRoutes({
  routes,
  options,
}: Pick<SubmitRun, "routes" | "options">): SubmitRun["options"] {
  if (!options?.perRoute) return options;
  const perRoute = Object.entries(options.perRoute).filter(([route]) => routes.includes(route));
  return { ...options, perRoute: Object.fromEntries(perRoute) };
}
