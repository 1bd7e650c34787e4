import { listQuery } from "../../shared/contracts/fields.ts";
import * as platform from "../../shared/contracts/platform.ts";
import { deliveryRoute } from "./delivery-route.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";
import { serveInstall, serveInstalled } from "./serve-install.ts";

/** The routes of the deployment platform's integration: a part of the table of all. */
export const PLATFORM_ROUTES: Record<string, Route> = {
  "GET /api/install": servedRoute({
    role: "public",
    summary: "Leads a browser to the deployment platform to install the integration, and takes it back",
    query: platform.installQuery,
    answers: { 302: null },
    serve: serveInstall,
  }),
  "GET /api/installed": {
    role: "public",
    summary: "The page after an installation",
    answers: { 200: "text/html" },
    serve: serveInstalled,
  },
  "POST /api/webhook": deliveryRoute("platform.deliver", {
    headers: config => [config.platform.signatureHeader],
    summary: "Takes a signed event of the deployment platform; a preview that is ready becomes a run",
    answers: {
      200: platform.deliveredAnswer,
      400: platform.refusedAnswer,
      401: platform.unverifiedAnswer,
      500: platform.unverifiedAnswer,
      502: platform.apiFault,
    },
  }),
};

/** For operators, whom the teams service knows: served where the whole API is. */
export const CONSENT_ROUTES: Record<string, Route> = {
  "GET /v1/admin/consents": actionRoute("platform.consents", {
    role: "admin",
    forOperators: true,
    summary: "List whose previews on custom domains may be rendered; for admins of the default team",
    query: listQuery,
    answers: { 200: platform.consentList },
    input: ({ query }) => query,
  }),
  "PUT /v1/admin/consents/:key": actionRoute("platform.allow", {
    role: "admin",
    forOperators: true,
    summary: "Let previews of a project, or of all of a team's, be rendered on custom domains",
    answers: { 200: platform.consent },
    input: ({ params: { key = "" } }) => ({ key }),
  }),
  "DELETE /v1/admin/consents/:key": actionRoute("platform.revoke", {
    role: "admin",
    forOperators: true,
    summary: "Refuse them from the next one on",
    answers: { 204: null },
    input: ({ params: { key = "" } }) => ({ key }),
  }),
};
