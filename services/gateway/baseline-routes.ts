import * as baselines from "../../shared/contracts/baselines.ts";
import { actionRoute, type Route } from "./route.ts";

/** The routes about baselines and pages across runs: a part of the table of all. */
export const BASELINE_ROUTES: Record<string, Route> = {
  "GET /v1/projects": actionRoute("runs.projects", {
    role: "viewer",
    summary: "List the team's projects, each a namespace of baselines, newest first",
    query: baselines.listProjectsQuery,
    answers: { 200: baselines.projectList },
    input: ({ query }) => ({ query }),
  }),
  "PATCH /v1/projects/:id": actionRoute("runs.changeProject", {
    role: "admin",
    summary: "Change a project's settings",
    body: baselines.changeProjectBody,
    answers: { 200: baselines.projectView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "GET /v1/baselines": actionRoute("runs.baselines", {
    role: "viewer",
    summary:
      "The baselines in force in a project, by route and width; of its default branch unless another is named",
    query: baselines.listBaselinesQuery,
    answers: { 200: baselines.baselineList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/baselines/history": actionRoute("runs.baselineHistory", {
    role: "viewer",
    summary: "The approvals of one page at one width, latest first; of every branch unless one is named",
    query: baselines.baselineHistoryQuery,
    answers: { 200: baselines.baselineHistory },
    input: ({ query }) => ({ query }),
  }),
  "POST /v1/baselines/:id/restore": actionRoute("runs.restoreBaseline", {
    role: "reviewer",
    summary: "Make an approval the baseline of its branch or pull request again",
    answers: { 200: baselines.baselineView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/screenshots": actionRoute("runs.screenshotHistory", {
    role: "viewer",
    summary: "One page at one width across runs, newest first: how it stood, and how long its capture took",
    query: baselines.screenshotHistoryQuery,
    answers: { 200: baselines.screenshotHistory },
    input: ({ query }) => ({ query }),
  }),
};
