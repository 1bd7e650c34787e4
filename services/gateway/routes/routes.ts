import { z } from "zod";
import type { Config } from "../../../shared/config.ts";
import { usage, usageHistory } from "../../../shared/contracts/billing/usage.ts";
import { listQuery } from "../../../shared/contracts/fields.ts";
import { fleet } from "../../../shared/contracts/fleet.ts";
import * as keys from "../../../shared/contracts/teams/keys.ts";
import { isIntegrationOnly } from "../../../shared/environment/variables.ts";
import { listNodes } from "../handlers/list-nodes.ts";
import { exchangeToken } from "../handlers/uploads/exchange-token.ts";
import { serveHealth, serveMetrics, serveReadiness } from "../http/health.ts";
import { serveHome, serveOpenApi } from "../openapi/serve-docs.ts";
import { BILLING_ROUTES } from "./billing-routes.ts";
import { CHAT_ROUTES } from "./chat-routes.ts";
import { CONNECTION_ROUTES } from "./connection-routes.ts";
import { DASHBOARD_ROUTES } from "./dashboard-routes.ts";
import { DOCS_ROUTES } from "./docs-routes.ts";
import { INSTALL_ROUTES } from "./install-routes.ts";
import { ALERT_ROUTES } from "./monitors/alert-routes.ts";
import { INCIDENT_ROUTES } from "./monitors/incident-routes.ts";
import { MAINTENANCE_ROUTES } from "./monitors/maintenance-routes.ts";
import { MONITOR_ROUTES } from "./monitors/monitor-routes.ts";
import { STATUS_PAGE_ROUTES } from "./monitors/status-page-routes.ts";
import { CONSENT_ROUTES, PLATFORM_ROUTES } from "./platform-routes.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";
import { ARCHIVE_ROUTES } from "./runs/archive-routes.ts";
import { BASELINE_ROUTES } from "./runs/baseline-routes.ts";
import { BUILD_ROUTES } from "./runs/build-routes.ts";
import { COMMENT_ROUTES } from "./runs/comment-routes.ts";
import { COMPARISON_ROUTES } from "./runs/comparison-routes.ts";
import { CONFIGURATION_ROUTES } from "./runs/configuration-routes.ts";
import { NOISE_ROUTES } from "./runs/noise-routes.ts";
import { RUN_ROUTES } from "./runs/run-routes.ts";
import { SCREENSHOT_ROUTES } from "./runs/screenshot-routes.ts";
import { SECRET_ROUTES } from "./runs/secret-routes.ts";
import { STREAM_ROUTES } from "./runs/stream-routes.ts";
import { TUNNEL_ROUTES } from "./runs/tunnel-routes.ts";
import { SCIM_ROUTES } from "./scim-routes.ts";
import { SCM_ROUTES } from "./scm-routes.ts";
import { SIGN_IN_ROUTES } from "./sign-in-routes.ts";
import { TEAM_ROUTES } from "./team-routes.ts";
import { TRANSFER_ROUTES } from "./transfer-routes.ts";
import { WEBHOOK_ROUTES } from "./webhook-routes.ts";

const readiness = z.object({
  status: z
    .enum(["ready", "starting", "unavailable"])
    .describe("`unavailable`: a service is missing that was there at an earlier request"),
  missing: z.array(z.string()).describe("Services that no node of the fleet runs"),
});

/** All routes of the service. */
export const ROUTES: Record<string, Route> = {
  ...RUN_ROUTES,
  ...STREAM_ROUTES,
  ...SCREENSHOT_ROUTES,
  "GET /v1/usage": actionRoute("billing.usage", {
    role: "viewer",
    summary: "Get the team's usage and limits of this month",
    answers: { 200: usage },
    input: () => ({}),
  }),
  "GET /v1/usage/history": actionRoute("billing.usageHistory", {
    role: "viewer",
    summary: "Get the team's usage of the last twelve months, and a forecast for this one",
    answers: { 200: usageHistory },
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
  ...ARCHIVE_ROUTES,
  ...COMMENT_ROUTES,
  ...COMPARISON_ROUTES,
  ...BASELINE_ROUTES,
  ...NOISE_ROUTES,
  ...CONFIGURATION_ROUTES,
  ...SECRET_ROUTES,
  ...TUNNEL_ROUTES,
  ...SIGN_IN_ROUTES,
  ...SCIM_ROUTES,
  ...TEAM_ROUTES,
  ...TRANSFER_ROUTES,
  ...SCM_ROUTES,
  ...CONNECTION_ROUTES,
  ...PLATFORM_ROUTES,
  ...MONITOR_ROUTES,
  ...CONSENT_ROUTES,
  ...INSTALL_ROUTES,
  ...BILLING_ROUTES,
  ...ALERT_ROUTES,
  ...CHAT_ROUTES,
  ...INCIDENT_ROUTES,
  ...MAINTENANCE_ROUTES,
  ...STATUS_PAGE_ROUTES,
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
