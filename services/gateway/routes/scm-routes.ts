import { z } from "zod";
import * as codeHost from "../../../shared/contracts/code-host/code-host.ts";
import { serveNewApp } from "../handlers/serve-new-app.ts";
import { deliveryRoute } from "./delivery-route.ts";
import { actionRoute, type Route, servedRoute } from "./route.ts";

const deliveryResult = z.looseObject({
  triggered: z.boolean().optional().describe("Whether a run was started"),
  reason: z.string().optional().describe("Why no run was started"),
});
const refused = z.object({ message: z.string() });

/** Routes of the code-host app. */
export const SCM_ROUTES: Record<string, Route> = {
  "POST /codehost/webhook": deliveryRoute("scm.receive", {
    summary: "Receive the code host's events, signed in the header `x-hub-signature-256`",
    headers: ["x-hub-signature-256", "x-github-event", "x-github-delivery"],
    // The event of an installation lists all repositories of an organization.
    maxMebibytes: 4,
    answers: {
      200: deliveryResult,
      400: deliveryResult,
      401: refused,
      500: refused,
      502: deliveryResult,
      503: deliveryResult,
    },
  }),
  "POST /runs/:checkRunId/complete": deliveryRoute("scm.complete", {
    summary: "Complete a check run. For the Cloud API, with `SERVICE_CALLBACK_SECRET` as the bearer token",
    headers: ["authorization"],
    answers: {
      200: z.looseObject({ closed: z.boolean() }),
      400: refused,
      401: refused,
      404: refused,
      500: refused,
    },
  }),
  "GET /codehost/app/new": servedRoute({
    role: "public",
    summary: "Show the page whose button creates the code-host app",
    query: codeHost.newAppQuery,
    answers: { 200: "text/html", 404: "text/html" },
    serve: serveNewApp,
  }),
  "GET /v1/admin/code-host": actionRoute("scm.app", {
    role: "admin",
    operatorsOnly: true,
    summary:
      "Check whether the code-host app has the required permissions and events. For admins of the default team",
    answers: { 200: codeHost.codeHostAppView },
    input: () => ({}),
  }),
  "POST /v1/admin/code-host/app": actionRoute("scm.startAppCreation", {
    role: "admin",
    operatorsOnly: true,
    summary: "Start the creation of the code-host app. Open the returned URL in a browser to continue",
    body: codeHost.beginAppBody,
    answers: { 201: codeHost.pendingApp },
    input: ({ body }) => body,
  }),
  "POST /v1/admin/code-host/app/settings": actionRoute("scm.finishAppCreation", {
    role: "admin",
    operatorsOnly: true,
    summary: "Exchange the code host's code for the app's settings. Only this response shows them",
    body: codeHost.finishAppBody,
    answers: { 201: codeHost.createdApp },
    input: ({ body }) => body,
  }),
};
