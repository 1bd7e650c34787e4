import { z } from "zod";
import { listQuery } from "../../shared/contracts/fields.ts";
import { fleet } from "../../shared/contracts/fleet.ts";
import * as http from "../../shared/contracts/http.ts";
import * as keys from "../../shared/contracts/keys.ts";
import { liveQuery } from "../../shared/contracts/live.ts";
import * as reviews from "../../shared/contracts/reviews.ts";
import { leftOpen, submitRunBody, submittedRun } from "../../shared/contracts/submit-run.ts";
import { imageQuery } from "../../shared/contracts/thumbnails.ts";
import { usage } from "../../shared/contracts/usage.ts";
import { newId } from "../../shared/ids.ts";
import { ALERT_ROUTES } from "./alert-routes.ts";
import { BASELINE_ROUTES } from "./baseline-routes.ts";
import { BILLING_ROUTES } from "./billing-routes.ts";
import { DASHBOARD_ROUTES } from "./dashboard-routes.ts";
import { serveHealth, serveMetrics, serveReadiness } from "./health.ts";
import { listNodes } from "./list-nodes.ts";
import { MONITOR_ROUTES } from "./monitor-routes.ts";
import { NOISE_ROUTES } from "./noise-routes.ts";
import { CONSENT_ROUTES, PLATFORM_ROUTES } from "./platform-routes.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";
import { SCM_ROUTES } from "./scm-routes.ts";
import { serveDocs, serveHome, serveOpenApi } from "./serve-docs.ts";
import { serveEvents } from "./serve-events.ts";
import { serveImage } from "./serve-image.ts";
import { serveProgress } from "./serve-progress.ts";
import { serveReport } from "./serve-report.ts";
import { serveScreenshots } from "./serve-screenshots.ts";
import { TEAM_ROUTES } from "./team-routes.ts";

const readiness = z.object({ status: z.enum(["ready", "starting"]), missing: z.array(z.string()) });

/** Every route of the service. What is not here does not exist. */
export const ROUTES: Record<string, Route> = {
  "POST /v1/run": actionRoute("runs.submit", {
    role: "reviewer",
    summary: "Submit a visual regression run; it is executed after the answer",
    body: submitRunBody,
    idempotent: true,
    answers: { 202: submittedRun, 200: submittedRun },
    input: ({ body, said, idempotencyKey }) => ({
      id: newId("run"),
      body,
      leftOpen: leftOpen(said),
      idempotencyKey,
    }),
    status: run => (run.deduplicated ? 200 : 202),
  }),
  "GET /v1/runs": actionRoute("runs.list", {
    role: "viewer",
    summary: "List the team's runs, newest first",
    query: http.listRunsQuery,
    answers: { 200: http.runList },
    input: ({ query }) => ({ query }),
  }),
  "GET /v1/runs/:id": actionRoute("runs.get", {
    role: "viewer",
    summary: "Status of one run",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/runs/:id/events": {
    role: "viewer",
    teamInQuery: true,
    summary: "Progress of one run as server-sent events, to its end, or with its reviews after that",
    query: http.progressQuery,
    answers: { 200: "text/event-stream" },
    serve: serveProgress,
  },
  "GET /v1/events": {
    role: "viewer",
    teamInQuery: true,
    summary: "Which of the team's runs and monitors change, as server-sent events",
    query: liveQuery,
    answers: { 200: "text/event-stream" },
    serve: serveEvents,
  },
  "POST /v1/runs/:id/cancel": actionRoute("runs.cancel", {
    role: "reviewer",
    summary: "Cancel a run that has not ended",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/runs/:id/links/revoke": actionRoute("runs.revokeLinks", {
    role: "reviewer",
    summary: "Revoke the links of a run's report and images; the answer has new ones",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/reports/:id": {
    role: "link",
    summary: "The HTML report of a run",
    query: http.reportQuery,
    answers: { 200: "text/html" },
    serve: serveReport,
  },
  "GET /v1/screenshots/:runId": {
    role: "viewer",
    summary: "Screenshot metadata of a run",
    query: http.listScreenshotsQuery,
    answers: { 200: http.screenshotList },
    serve: serveScreenshots,
  },
  "GET /v1/images/:team/:signature/:file": servedRoute({
    role: "signed",
    summary: "An image, or with `w` its thumbnail, which is WebP; its link is in the screenshot's metadata",
    query: imageQuery,
    answers: { 200: "image/png" },
    serve: serveImage,
  }),
  "POST /v1/baselines/:runId/approve": actionRoute("runs.approve", {
    role: "reviewer",
    summary: "Approve a run's screenshots, all or some, as baselines",
    body: reviews.approveBody,
    answers: { 200: reviews.approved },
    input: ({ params: { runId = "" }, body }) => ({ runId, ...body }),
  }),
  "POST /v1/baselines/:runId/reject": actionRoute("runs.reject", {
    role: "reviewer",
    summary: "Reject a run's screenshots, all or some, and take back their approval",
    body: reviews.rejectBody,
    answers: { 200: reviews.rejected },
    input: ({ params: { runId = "" }, body }) => ({ runId, ...body }),
  }),
  "POST /v1/baselines/:runId/dismiss": actionRoute("runs.dismiss", {
    role: "reviewer",
    summary: "Dismiss reviews of a run's screenshots, all or some: they count no more",
    body: reviews.dismissBody,
    answers: { 200: reviews.dismissed },
    input: ({ params: { runId = "" }, body }) => ({ runId, ...body }),
  }),
  "GET /v1/usage": actionRoute("billing.usage", {
    role: "viewer",
    summary: "What the team has used of its plan this month",
    answers: { 200: usage },
    input: () => ({}),
  }),
  "GET /v1/keys": actionRoute("teams.listKeys", {
    role: "admin",
    summary: "List the team's API keys",
    query: listQuery,
    answers: { 200: keys.keyList },
    input: ({ query }) => query,
  }),
  "POST /v1/keys": actionRoute("teams.createKey", {
    role: "admin",
    summary: "Make an API key; the answer is the only place where it is shown",
    body: keys.createKeyBody,
    answers: { 201: keys.createdKey },
    input: ({ body }) => body,
  }),
  "DELETE /v1/keys/:id": actionRoute("teams.revokeKey", {
    role: "admin",
    summary: "Revoke an API key at once",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  ...BASELINE_ROUTES,
  ...NOISE_ROUTES,
  ...TEAM_ROUTES,
  ...SCM_ROUTES,
  ...PLATFORM_ROUTES,
  ...MONITOR_ROUTES,
  ...CONSENT_ROUTES,
  ...BILLING_ROUTES,
  ...ALERT_ROUTES,
  "GET /v1/admin/nodes": {
    role: "admin",
    forOperators: true,
    summary: "The nodes of this service, their load, and its queues; for admins of the default team",
    answers: { 200: fleet },
    serve: listNodes,
  },
  "GET /v1/openapi.json": {
    role: "public",
    summary: "This API as an OpenAPI document",
    answers: { 200: "application/json" },
    serve: serveOpenApi,
  },
  "GET /": {
    role: "public",
    summary: "Leads to the dashboard, or to the API as a page where there is none",
    answers: { 302: null },
    serve: serveHome,
  },
  ...DASHBOARD_ROUTES,
  "GET /docs": {
    role: "public",
    summary: "This API as a page to read",
    answers: { 200: "text/html" },
    serve: serveDocs,
  },
  "GET /health": {
    role: "public",
    summary: "Whether this node answers",
    answers: { 200: z.object({ status: z.literal("ok"), integration: z.string() }) },
    serve: serveHealth,
  },
  "GET /ready": {
    role: "public",
    summary: "Whether every service that a run needs is there",
    answers: { 200: readiness, 503: readiness },
    serve: serveReadiness,
  },
  "GET /metrics": {
    role: "admin",
    forOperators: true,
    summary: "This node's metrics in Prometheus' text format; for admins of the default team",
    answers: { 200: "text/plain" },
    serve: serveMetrics,
  },
};
