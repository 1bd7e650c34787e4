import { z } from "zod";
import { type Config, isIntegrationOnly } from "../../../shared/config.ts";
import { usage } from "../../../shared/contracts/billing/usage.ts";
import { listQuery } from "../../../shared/contracts/fields.ts";
import { fleet } from "../../../shared/contracts/fleet.ts";
import * as reviews from "../../../shared/contracts/runs/reviews.ts";
import * as http from "../../../shared/contracts/runs/runs.ts";
import {
  defaultedFields,
  submitRunBody,
  submittedRun,
  unsetFields,
} from "../../../shared/contracts/runs/submit-run.ts";
import { imageQuery } from "../../../shared/contracts/runs/thumbnails.ts";
import * as keys from "../../../shared/contracts/teams/keys.ts";
import { liveQuery } from "../../../shared/contracts/teams/live.ts";
import { newId } from "../../../shared/ids.ts";
import { exchangeToken } from "../handlers/exchange-token.ts";
import { listNodes } from "../handlers/list-nodes.ts";
import { serveImage } from "../handlers/serve-image.ts";
import { serveReport } from "../handlers/serve-report.ts";
import { serveScreenshots } from "../handlers/serve-screenshots.ts";
import { serveHealth, serveMetrics, serveReadiness } from "../http/health.ts";
import { prefersLenient } from "../http/request-headers.ts";
import { serveHome, serveOpenApi } from "../openapi/serve-docs.ts";
import { serveEvents } from "../streams/serve-events.ts";
import { serveProgress } from "../streams/serve-progress.ts";
import { ALERT_ROUTES } from "./alert-routes.ts";
import { BASELINE_ROUTES } from "./baseline-routes.ts";
import { BILLING_ROUTES } from "./billing-routes.ts";
import { BUILD_ROUTES } from "./build-routes.ts";
import { CONFIGURATION_ROUTES } from "./configuration-routes.ts";
import { DASHBOARD_ROUTES } from "./dashboard-routes.ts";
import { DOCS_ROUTES } from "./docs-routes.ts";
import { INSTALL_ROUTES } from "./install-routes.ts";
import { MONITOR_ROUTES } from "./monitor-routes.ts";
import { NOISE_ROUTES } from "./noise-routes.ts";
import { CONSENT_ROUTES, PLATFORM_ROUTES } from "./platform-routes.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";
import { SCM_ROUTES } from "./scm-routes.ts";
import { SECRET_ROUTES } from "./secret-routes.ts";
import { TEAM_ROUTES } from "./team-routes.ts";
import { TUNNEL_ROUTES } from "./tunnel-routes.ts";
import { WEBHOOK_ROUTES } from "./webhook-routes.ts";

const readiness = z.object({
  status: z
    .enum(["ready", "starting", "unavailable"])
    .describe("`unavailable`: a service is missing that was there at an earlier request"),
  missing: z.array(z.string()).describe("Services that no node of the fleet runs"),
});

/** All routes of the service. */
export const ROUTES: Record<string, Route> = {
  "POST /v1/run": actionRoute("runs.submit", {
    role: "reviewer",
    summary: "Start a run. It continues after the response",
    body: submitRunBody,
    idempotent: true,
    answers: { 202: submittedRun, 200: submittedRun },
    input: ({ body, providedFields, idempotencyKey, req }) => ({
      id: newId("run"),
      body,
      unsetFields: unsetFields(providedFields),
      defaultedFields: defaultedFields(providedFields),
      lenient: prefersLenient(req.headers.prefer),
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
    allowsUploadKeys: true,
    summary: "Get a run",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/runs/:id/events": {
    role: "viewer",
    allowsUploadKeys: true,
    teamInQuery: true,
    summary: "Stream a run's progress as server-sent events until it ends, or its reviews too",
    query: http.progressQuery,
    answers: { 200: "text/event-stream" },
    serve: serveProgress,
  },
  "GET /v1/events": {
    role: "viewer",
    teamInQuery: true,
    summary: "Stream the ids of the team's changed runs and monitors as server-sent events",
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
    summary: "Revoke the links to a run's report and images. Returns new links",
    answers: { 200: http.runView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/reports/:id": {
    role: "link",
    summary: "Get the HTML report of a run",
    query: http.reportQuery,
    answers: { 200: "text/html" },
    serve: serveReport,
  },
  "GET /v1/screenshots/:runId": {
    role: "viewer",
    allowsUploadKeys: true,
    summary: "List the screenshots of a run with their metadata",
    query: http.listScreenshotsQuery,
    answers: { 200: http.screenshotList },
    serve: serveScreenshots,
  },
  "GET /v1/images/:team/:signature/:file": servedRoute({
    role: "signed",
    summary: "Get an image, or with `w` its WebP thumbnail. The screenshot's metadata has the link",
    query: imageQuery,
    answers: { 200: "image/png" },
    serve: serveImage,
  }),
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
  "GET /v1/usage": actionRoute("billing.usage", {
    role: "viewer",
    summary: "Get the team's usage and limits of this month",
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
    summary: "Create an API key. Only this response shows it",
    body: keys.createKeyBody,
    answers: { 201: keys.createdKey },
    input: ({ body }) => body,
  }),
  "DELETE /v1/keys/:id": actionRoute("teams.revokeKey", {
    role: "admin",
    summary: "Revoke an API key. Takes effect immediately",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/upload-keys": servedRoute({
    role: "public",
    summary:
      "Exchange the OIDC token of a GitHub Actions job for a key with the scope upload, for 10 minutes",
    body: keys.exchangeTokenBody,
    answers: { 201: keys.exchangedKey },
    serve: exchangeToken,
  }),
  ...BUILD_ROUTES,
  ...BASELINE_ROUTES,
  ...NOISE_ROUTES,
  ...CONFIGURATION_ROUTES,
  ...SECRET_ROUTES,
  ...TUNNEL_ROUTES,
  ...TEAM_ROUTES,
  ...SCM_ROUTES,
  ...PLATFORM_ROUTES,
  ...MONITOR_ROUTES,
  ...CONSENT_ROUTES,
  ...INSTALL_ROUTES,
  ...BILLING_ROUTES,
  ...ALERT_ROUTES,
  ...WEBHOOK_ROUTES,
  "GET /v1/admin/nodes": {
    role: "admin",
    operatorsOnly: true,
    summary: "List the nodes of this service with their load, and the queues. For admins of the default team",
    answers: { 200: fleet },
    serve: listNodes,
  },
  "GET /v1/openapi.json": {
    role: "public",
    summary: "Get the OpenAPI document of this API",
    answers: { 200: "application/json" },
    serve: serveOpenApi,
  },
  "GET /": {
    role: "public",
    summary: "Redirect to the dashboard, or to the documentation if the dashboard is not built",
    answers: { 302: null },
    serve: serveHome,
  },
  ...DASHBOARD_ROUTES,
  ...DOCS_ROUTES,
  "GET /health": {
    role: "public",
    summary: "Check whether this node responds",
    answers: { 200: z.object({ status: z.literal("ok"), integration: z.string() }) },
    serve: serveHealth,
  },
  "GET /ready": {
    role: "public",
    summary: "Check whether all services that runs need are available",
    answers: { 200: readiness, 503: readiness },
    serve: serveReadiness,
  },
  "GET /metrics": {
    role: "admin",
    operatorsOnly: true,
    summary: "Get this node's metrics in the Prometheus text format. For admins of the default team",
    answers: { 200: "text/plain" },
    serve: serveMetrics,
  },
};

/** Routes that need no other service. */
const OF_GATEWAY = ["GET /", "GET /docs", "GET /v1/openapi.json", "GET /health", "GET /ready"];

/**
 * Returns the routes that this node serves. A node with only the integration doesn't serve the API, which another
 * installation does.
 */
export function servedHere({ nats, services }: Pick<Config, "nats" | "services">): Record<string, Route> {
  if (nats !== null || !isIntegrationOnly(services)) return ROUTES;
  const served = new Set([...Object.keys(PLATFORM_ROUTES), ...OF_GATEWAY]);
  return Object.fromEntries(Object.entries(ROUTES).filter(([name]) => served.has(name)));
}
