import type { Route } from "./route.ts";
import { serveAsset, serveDashboard } from "./serve-dashboard.ts";

/** A page for everybody: what it shows, it asks `/v1` for, which knows who may see it. */
const page = (summary: string): Route => ({
  role: "public",
  summary: `The dashboard: ${summary}`,
  answers: { 200: "text/html" },
  serve: serveDashboard,
});

/** The dashboard's own addresses: a part of the table of all. */
export const DASHBOARD_ROUTES: Record<string, Route> = {
  "GET /sign-in": page("signing in"),
  "GET /runs": page("the team's runs"),
  "GET /runs/:id": page("one run"),
  "GET /baselines": page("the baselines of a project"),
  "GET /baselines/history": page("the approvals of one page at one width"),
  "GET /review/:id": page("the review of a run"),
  "GET /monitors": page("the team's monitors"),
  "GET /monitors/:id": page("one monitor, or the form for a new one"),
  "GET /settings/:page": page("account, team, keys, usage, nodes"),
  "GET /billing": page("the plan; where the payment provider leads back to"),
  "GET /assets/:file": {
    role: "public",
    summary: "A script, style or picture of the dashboard",
    answers: { 200: "text/javascript" },
    serve: serveAsset,
  },
};
