import { z } from "zod";
import { list, time } from "../fields.ts";

/** Queries and responses of `/v1` about alerts. */

/**
 * What monitors report besides their pages: no results for several intervals, and results again; a certificate that
 * expires soon, and its renewal; an HTTP check that fails, and that passes again.
 */
export const CONDITION_KINDS = [
  "unchecked",
  "checked",
  "certificate",
  "renewed",
  "failing",
  "passing",
] as const;

export const CHANNEL_NAMES = ["slack", "email", "pagerduty", "incidents", "webhook"] as const;
export const NOTIFICATION_STATUSES = ["queued", "sent", "failed", "dropped"] as const;

export const notificationView = z.object({
  id: z.string(),
  channel: z.enum(CHANNEL_NAMES),
  kind: z
    .enum([...CONDITION_KINDS, "changed", "down", "recovered", "test", "replaced"])
    .describe(
      "What the message reports. `replaced` closes an incident that another incident replaced. `unchecked` and `checked` are about monitors without results, `certificate` and `renewed` about the site's certificate. `failing` and `passing` are about the HTTP check",
    ),
  receiver: z.string().describe("Address of the receiver. Secret addresses show only their last characters"),
  status: z
    .enum(NOTIFICATION_STATUSES)
    .describe(
      "`failed`: all attempts failed. `dropped`: the message was no longer needed. `answer` gives the reason",
    ),
  tries: z.int(),
  answer: z.string().nullable().describe("The receiver's last response"),
  createdAt: time,
  nextTryAt: time.nullable().describe("Time of the next attempt. Null unless `queued`"),
  endedAt: time.nullable(),
});

export const notificationList = list(notificationView);

/** The number of marks that a chart has room for. */
export const MAX_CHART_MARKS = 500;

/** Response of `GET /v1/monitors/:id/alerts`. */
export const alertsView = z.object({
  alerts: z
    .array(
      z.object({
        at: time,
        kind: z.enum(["changed", "down", "recovered"]),
        checkId: z.string().describe("The check that caused the alert"),
      }),
    )
    .describe("Alerts that were sent, oldest first"),
  snoozes: z
    .array(z.object({ from: time, until: time.describe("When the snooze ends or was canceled") }))
    .describe("Snoozes, oldest first"),
  receivers: z.array(notificationView).describe("The latest stored message to each receiver"),
});

/** Response of `GET /v1/alerts/channels`. */
export const availableChannels = z.object({
  email: z
    .boolean()
    .describe("Whether a mail server is configured. The other channels need no configuration"),
});

/** Hours for which alerts can be snoozed. */
export const SNOOZE_HOURS = { min: 1, max: 720 } as const;

/** Query of the forms that a signed link opens. */
export const snoozeQuery = z.object({
  hours: z.coerce.number().int().min(SNOOZE_HOURS.min).max(SNOOZE_HOURS.max).describe("Hours without alerts"),
});

export type AvailableChannels = z.infer<typeof availableChannels>;
export type ChannelName = (typeof CHANNEL_NAMES)[number];
export type NotificationView = z.infer<typeof notificationView>;
export type AlertsView = z.infer<typeof alertsView>;
export type NotificationList = z.infer<typeof notificationList>;
