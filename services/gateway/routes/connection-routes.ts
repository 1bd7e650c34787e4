import { z } from "zod";
import * as connections from "../../../shared/contracts/code-host/connections.ts";
import { deliveryRoute } from "./delivery-route.ts";
import { actionRoute, type Route } from "./route.ts";

const deliveryResult = z.looseObject({
  triggered: z.boolean().optional().describe("Whether a run was started"),
  reason: z.string().optional().describe("Why no run was started"),
});
const refused = z.object({ message: z.string() });

/** Routes for a team's connections to repositories at code hosts without an app. */
export const CONNECTION_ROUTES: Record<string, Route> = {
  "GET /v1/connections": actionRoute("scm.connections", {
    role: "admin",
    summary: "List the team's connected repositories, oldest first",
    answers: { 200: connections.connectionList },
    input: () => ({}),
  }),
  "POST /v1/connections": actionRoute("scm.connect", {
    role: "admin",
    summary:
      "Connect a repository of GitLab, Gitea, Forgejo or Bitbucket. Only this response shows the webhook's secret",
    body: connections.connectBody,
    answers: { 201: connections.connectionWithSecret },
    input: ({ body }) => body,
  }),
  "GET /v1/connections/:id": actionRoute("scm.connection", {
    role: "admin",
    summary: "Get a connected repository",
    answers: { 200: connections.connectionView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "PATCH /v1/connections/:id": actionRoute("scm.changeConnection", {
    role: "admin",
    summary: "Change the token or the project of a connected repository",
    body: connections.changeConnectionBody,
    answers: { 200: connections.connectionView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "DELETE /v1/connections/:id": actionRoute("scm.disconnect", {
    role: "admin",
    summary: "Disconnect a repository, and delete its webhook",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/connections/:id/rotate-secret": actionRoute("scm.rotateConnectionSecret", {
    role: "admin",
    summary: "Replace the secret of a connected repository's webhook",
    answers: { 200: connections.connectionWithSecret },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /codehost/connections/:id/webhook": deliveryRoute("scm.receiveConnected", {
    summary:
      "Receive the events of a connected repository, with its secret in `x-gitlab-token`, or the signature in `x-gitea-signature` or `x-hub-signature`",
    headers: [
      ...["x-gitlab-token", "x-gitlab-event", "x-gitlab-event-uuid", "idempotency-key"],
      ...["x-gitea-signature", "x-gitea-event", "x-gitea-delivery"],
      ...["x-hub-signature", "x-event-key"],
    ],
    answers: {
      200: deliveryResult,
      400: deliveryResult,
      401: refused,
      404: refused,
      502: deliveryResult,
      503: deliveryResult,
    },
  }),
};
