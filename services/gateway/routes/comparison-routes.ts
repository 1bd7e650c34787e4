import { compareQuery, comparisonView } from "../../../shared/contracts/runs/comparisons.ts";
import { serveComparison } from "../handlers/serve-comparison.ts";
import { type Route, servedRoute } from "./route.ts";

/** Routes of comparisons. */
export const COMPARISON_ROUTES: Record<string, Route> = {
  "GET /v1/compare": servedRoute({
    role: "viewer",
    summary:
      "Compare the screenshots of any two runs, branches, environments, or moments of a monitor. Repeat the request while `status` is `comparing`",
    query: compareQuery,
    answers: { 200: comparisonView },
    serve: serveComparison,
  }),
};
