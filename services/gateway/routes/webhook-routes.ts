import * as webhooks from "../../../shared/contracts/webhooks/webhooks.ts";
import { actionRoute, type Route } from "./route.ts";

/** Routes for a team's webhooks and the log of their deliveries. */
export const WEBHOOK_ROUTES: Record<string, Route> = {
  "GET /v1/webhooks": actionRoute("alerts.webhooks", {
    role: "admin",
    summary: "List the team's webhooks, oldest first",
    answers: { 200: webhooks.webhookList },
    input: () => ({}),
  }),
  "POST /v1/webhooks": actionRoute("alerts.createWebhook", {
    role: "admin",
    summary: "Create a webhook. Only this response shows its secret",
    body: webhooks.createWebhookBody,
    answers: { 201: webhooks.webhookWithSecret },
    input: ({ body }) => body,
  }),
  "GET /v1/webhooks/:id": actionRoute("alerts.webhook", {
    role: "admin",
    summary: "Get a webhook",
    answers: { 200: webhooks.webhookView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "PATCH /v1/webhooks/:id": actionRoute("alerts.changeWebhook", {
    role: "admin",
    summary: "Change, pause or resume a webhook",
    body: webhooks.changeWebhookBody,
    answers: { 200: webhooks.webhookView },
    input: ({ params: { id = "" }, body }) => ({ id, body }),
  }),
  "DELETE /v1/webhooks/:id": actionRoute("alerts.deleteWebhook", {
    role: "admin",
    summary: "Delete a webhook with its log",
    answers: { 204: null },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "POST /v1/webhooks/:id/rotate-secret": actionRoute("alerts.rotateWebhookSecret", {
    role: "admin",
    summary: "Replace a webhook's secret. The previous one signs too for some hours",
    body: webhooks.rotateSecretBody,
    answers: { 200: webhooks.webhookWithSecret },
    input: ({ params: { id = "" }, body: { overlapHours } }) => ({ id, overlapHours }),
  }),
  "POST /v1/webhooks/:id/test": actionRoute("alerts.testWebhook", {
    role: "admin",
    summary: "Send a test event to a webhook. Its log shows the result",
    answers: { 202: webhooks.deliveryView },
    input: ({ params: { id = "" } }) => ({ id }),
  }),
  "GET /v1/webhooks/:id/deliveries": actionRoute("alerts.deliveries", {
    role: "admin",
    summary: "List the deliveries of a webhook of the last 30 days, newest first",
    query: webhooks.listDeliveriesQuery,
    answers: { 200: webhooks.deliveryList },
    input: ({ params: { id = "" }, query }) => ({ id, query }),
  }),
  "GET /v1/webhooks/:id/deliveries/:delivery": actionRoute("alerts.delivery", {
    role: "admin",
    summary: "Get a delivery with the body of its request",
    answers: { 200: webhooks.deliveryWithBody },
    input: ({ params: { id = "", delivery = "" } }) => ({ id, delivery }),
  }),
  "POST /v1/webhooks/:id/deliveries/:delivery/replay": actionRoute("alerts.replayDelivery", {
    role: "admin",
    summary: "Send the event of a delivery again, with the same `webhook-id`",
    answers: { 202: webhooks.deliveryView },
    input: ({ params: { id = "", delivery = "" } }) => ({ id, delivery }),
  }),
};
