import { serveTraceViewer } from "../handlers/attachments/serve-trace-viewer.ts";
import { serveAsset, serveDashboard } from "../handlers/serve-dashboard.ts";
import type { Route } from "./route.ts";

/** Returns a public page. It loads its data from `/v1`, which checks access. */
const page = (summary: string): Route => ({
  role: "public",
  summary: `Show the dashboard page: ${summary}`,
  answers: { 200: "text/html" },
  serve: serveDashboard,
});

const traceViewer: Route = {
  role: "public",
  summary: "A file of Playwright's trace viewer, which opens uploaded traces",
  answers: { 200: "text/html" },
  serve: serveTraceViewer,
};

/** Routes of the dashboard. */
export const DASHBOARD_ROUTES: Record<string, Route> = {
  "GET /sign-in": page("sign-in"),
  "GET /inbox": page("inbox"),
  "GET /runs": page("runs"),
  "GET /runs/:id": page("a run"),
  "GET /baselines": page("baselines of a project"),
  "GET /baselines/history": page("baseline history of a page"),
  "GET /baselines/overview": page("overview of a project"),
  "GET /baselines/noise": page("flaky pages of a project"),
  "GET /baselines/configuration": page("settings of a project"),
  "GET /review/:id": page("review of a run"),
  "GET /compare": page("comparison of two runs, branches or moments"),
  "GET /monitors": page("monitors"),
  "GET /monitors/:id": page("a monitor, or the form to create one"),
  "GET /incidents": page("incidents of all monitors"),
  "GET /incidents/:id": page("an incident"),
  "GET /maintenance": page("maintenance windows of monitors"),
  "GET /status-pages": page("status pages of the team"),
  "GET /settings": page("settings; opens their first page"),
  "GET /settings/:page": page("settings: account, team, API keys, usage, nodes"),
  "GET /billing": page("the plan; where the payment provider leads back to"),
  "GET /trace-viewer/:first": traceViewer,
  "GET /trace-viewer/:first/:second": traceViewer,
  "GET /assets/:file": {
    role: "public",
    summary: "Get a script, stylesheet, or image of the dashboard",
    answers: { 200: "text/javascript" },
    serve: serveAsset,
  },
};
