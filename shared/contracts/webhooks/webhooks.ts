import { z } from "zod";
import { list, listQuery, pageUrl, text, time, unique } from "../fields.ts";
import { NOTIFICATION_STATUSES } from "../monitors/alerts.ts";
import type { Action } from "../teams/team-actions.ts";
import { EVENT_TYPES, type OutgoingEvent } from "./events.ts";

/** Requests and responses of `/v1/webhooks`. */

export const WEBHOOK_BOUNDS = {
  perTeam: 20,
  /** Waiting deliveries of one webhook. Later ones are dropped. */
  waiting: 5_000,
  /** Hours in which a replaced secret signs too. */
  overlapHours: { min: 0, max: 168, usual: 24 },
  retentionDays: 30,
} as const;

const eventType = z.enum(EVENT_TYPES);

const settings = {
  url: pageUrl.describe("Receives the events as POST requests"),
  events: z.array(eventType).min(1).transform(unique).describe("Events to send"),
  project: text(200)
    .nullable()
    .describe("Only events of this project and its named builds. Monitors belong to no project"),
  description: z
    .string()
    .trim()
    .max(200)
    .regex(/^\P{Cc}*$/u, "must not contain control characters"),
};

/** Body of `POST /v1/webhooks`. */
export const createWebhookBody = z.strictObject({
  ...settings,
  project: settings.project.default(null),
  description: settings.description.default(""),
});

/** Body of `PATCH /v1/webhooks/:id`. */
export const changeWebhookBody = z
  .strictObject({
    ...settings,
    status: z.enum(["active", "paused"]).describe("`active` resumes a paused webhook"),
  })
  .partial()
  .refine(body => Object.keys(body).length > 0, "must contain at least one field to change");

/** Body of `POST /v1/webhooks/:id/rotate-secret`. */
export const rotateSecretBody = z.strictObject({
  overlapHours: z
    .int()
    .min(WEBHOOK_BOUNDS.overlapHours.min)
    .max(WEBHOOK_BOUNDS.overlapHours.max)
    .default(WEBHOOK_BOUNDS.overlapHours.usual)
    .describe("Hours in which the previous secret signs too"),
});

export const webhookView = z.object({
  id: z.string(),
  ...settings,
  url: z.string(),
  events: z.array(eventType),
  status: z.enum(["active", "paused"]),
  pausedBecause: z
    .enum(["member", "failures", "gone"])
    .nullable()
    .describe("`failures`: no delivery succeeded for three days. `gone`: the receiver answered 410"),
  pausedAt: time.nullable(),
  failingSince: time.nullable().describe("First failed attempt since the last success"),
  previousSecretUntil: time.nullable().describe("When the replaced secret stops signing"),
  createdBy: z.string().describe("Name of the user or API key"),
  createdAt: time,
});

/** The only responses with the secret. */
export const webhookWithSecret = webhookView.extend({
  secret: z.string().describe("Verifies signatures. Only this response shows it"),
});

/** A team has at most 20 webhooks, so there are no pages. */
export const webhookList = z.object({ data: z.array(webhookView) });

export const deliveryView = z.object({
  id: z.string(),
  eventId: z.string().describe("Sent as `webhook-id`. Replays have the same"),
  event: z.string(),
  status: z
    .enum(NOTIFICATION_STATUSES)
    .describe("`failed`: all attempts failed. `dropped`: it was not sent. `answer` gives the reason"),
  attempts: z.int(),
  answer: z.string().nullable().describe("The receiver's last response"),
  isReplay: z.boolean(),
  createdAt: time,
  nextAttemptAt: time.nullable().describe("Null unless `queued`"),
  endedAt: time.nullable(),
});

/** Response of `GET /v1/webhooks/:id/deliveries/:delivery`. */
export const deliveryWithBody = deliveryView.extend({
  body: z.record(z.string(), z.unknown()).describe("The body of the request"),
});

export const listDeliveriesQuery = listQuery.extend({ status: z.enum(NOTIFICATION_STATUSES).optional() });
export const deliveryList = list(deliveryView);

export type CreateWebhook = z.infer<typeof createWebhookBody>;
export type ChangeWebhook = z.infer<typeof changeWebhookBody>;
export type WebhookView = z.infer<typeof webhookView>;
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;
export type WebhookList = z.infer<typeof webhookList>;
export type DeliveryView = z.infer<typeof deliveryView>;
export type DeliveryWithBody = z.infer<typeof deliveryWithBody>;
export type DeliveryList = z.infer<typeof deliveryList>;
export type ListDeliveriesQuery = z.infer<typeof listDeliveriesQuery>;

/** Actions of the alerts service on webhooks. */
export interface WebhookActions {
  /** Queues events for the webhooks of their teams, each once, in this order. */
  "alerts.publish": Action<{ events: OutgoingEvent[] }, null>;
  "alerts.webhooks": Action<Record<string, never>, WebhookList>;
  "alerts.createWebhook": Action<CreateWebhook, WebhookWithSecret>;
  "alerts.webhook": Action<{ id: string }, WebhookView>;
  "alerts.changeWebhook": Action<{ id: string; body: ChangeWebhook }, WebhookView>;
  "alerts.deleteWebhook": Action<{ id: string }, null>;
  "alerts.rotateWebhookSecret": Action<{ id: string; overlapHours: number }, WebhookWithSecret>;
  "alerts.testWebhook": Action<{ id: string }, DeliveryView>;
  "alerts.deliveries": Action<{ id: string; query: ListDeliveriesQuery }, DeliveryList>;
  "alerts.delivery": Action<{ id: string; delivery: string }, DeliveryWithBody>;
  "alerts.replayDelivery": Action<{ id: string; delivery: string }, DeliveryView>;
}
