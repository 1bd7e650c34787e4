import { listQuery } from "../../../shared/contracts/fields.ts";
import * as platform from "../../../shared/contracts/platform/platform.ts";
import { serveInstall, serveInstalled } from "../handlers/serve-install.ts";
import { deliveryRoute } from "./delivery-route.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";

/** Routes of the deployment platform's integration. */
export const PLATFORM_ROUTES: Record<string, Route> = {
  "GET /api/install": servedRoute({
    role: "public",
    summary:
      "Redirect a browser to the deployment platform to install the integration, and handle its return",
    query: platform.installQuery,
    answers: { 302: null },
    serve: serveInstall,
  }),
  "GET /api/installed": {
    role: "public",
    summary: "Show the page after an installation",
    answers: { 200: "text/html" },
    serve: serveInstalled,
  },
  "POST /api/webhook": deliveryRoute("platform.deliver", {
    headers: config => [config.platform.signatureHeader],
    summary:
      "Receive a signed event of the deployment platform. A successful preview deployment starts a run",
    answers: {
      200: platform.deliveredAnswer,
      400: platform.refusedAnswer,
      401: platform.unverifiedAnswer,
      500: platform.unverifiedAnswer,
      502: platform.apiFailure,
      503: platform.refusedAnswer,
    },
  }),
};

/** Routes for operators. They need the whole API, because the teams service knows the operators. */
export const CONSENT_ROUTES: Record<string, Route> = {
  "GET /v1/admin/consents": actionRoute("platform.consents", {
    role: "admin",
    operatorsOnly: true,
    summary: "List the consents to render previews on custom domains. For admins of the default team",
    query: listQuery,
    answers: { 200: platform.consentList },
    input: ({ query }) => query,
  }),
  "PUT /v1/admin/consents/:key": actionRoute("platform.allow", {
    role: "admin",
    operatorsOnly: true,
    summary: "Allow previews on custom domains for a project, or for all projects of a team",
    answers: { 200: platform.consent },
    input: ({ params: { key = "" } }) => ({ key }),
  }),
  "DELETE /v1/admin/consents/:key": actionRoute("platform.revoke", {
    role: "admin",
    operatorsOnly: true,
    summary: "Revoke a consent. Applies from the next preview",
    answers: { 204: null },
    input: ({ params: { key = "" } }) => ({ key }),
  }),
};
