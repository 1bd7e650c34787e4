import * as reviews from "../../../../shared/contracts/reviews/reviews.ts";
import * as baselines from "../../../../shared/contracts/runs/baselines.ts";
import * as overview from "../../../../shared/contracts/runs/overview.ts";
import * as projects from "../../../../shared/contracts/runs/projects.ts";
import { actionRoute, type Route } from "../route.ts";

/** Routes for reviews, baselines and pages across runs. */
export const BASELINE_ROUTES: Record<string, Route> = {
  "POST /v1/baselines/:runId/approve": actionRoute("runs.approve", {
    role: "reviewer",
    summary: "Approve all or some screenshots of a run as baselines",
    body: reviews.approveBody,
    answers: { 200: reviews.approved },
    input: ({ params: { runId = "" }, body }) => ({ runId, ...body }),
  }),
  "POST /v1/baselines/:runId/reject": actionRoute("runs.reject", {
    role: "reviewer",
    summary: "Reject all or some screenshots of a run. Ends their approval",
    body: reviews.rejectBody,
    answers: { 200: reviews.rejected },
    input: ({ params: { runId = "" }, body }) => ({ runId, ...body }),
  }),
  "POST /v1/baselines/:runId/dismiss": actionRoute("runs.dismiss", {
    role: "reviewer",
    summary: "Dismiss the reviews of all or some screenshots of a run",
    body: reviews.dismissBody,
    answers: { 200: reviews.dismissed },
    input: ({ params: { runId = "" }, body }) => ({ runId, ...body }),
  }),
  "GET /v1/projects": actionRoute("runs.projects", {
    role: "viewer",
    summary: "List the team's projects, newest first. A project is a namespace of baselines",
    query: projects.listProjectsQuery,
    answers: { 200: projects.projectList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/overview": actionRoute("runs.overview", {
    role: "viewer",
    summary: "Get the trend of a project's runs, and its slowest and flakiest pages",
    query: overview.overviewQuery,
    answers: { 200: overview.overviewView },
    input: ({ query }) => ({ query }),
  }),
  "PATCH /v1/projects/:id": actionRoute("runs.changeProject", {
    role: "admin",
    summary: "Update a project's settings",
    body: projects.changeProjectBody,
    answers: { 200: projects.projectView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "GET /v1/baselines": actionRoute("runs.baselines", {
    role: "viewer",
    summary: "List a project's current baselines by page. Default: those of the default branch",
    query: baselines.listBaselinesQuery,
    answers: { 200: baselines.baselineList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/baselines/history": actionRoute("runs.baselineHistory", {
    role: "viewer",
    summary: "List all baselines of a page, latest first. Default: those of all branches",
    query: baselines.baselineHistoryQuery,
    answers: { 200: baselines.baselineHistory },
    input: ({ query }) => ({ query }),
  }),
  "POST /v1/baselines/:id/restore": actionRoute("runs.restoreBaseline", {
    role: "reviewer",
    summary: "Restore an earlier baseline of its branch or pull request",
    answers: { 200: baselines.baselineView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/screenshots": actionRoute("runs.screenshotHistory", {
    role: "viewer",
    summary: "List a page's screenshots across runs, newest first, with status and capture times",
    query: baselines.screenshotHistoryQuery,
    answers: { 200: baselines.screenshotHistory },
    input: ({ query }) => ({ query }),
  }),
};
