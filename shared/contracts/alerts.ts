import { z } from "zod";
import { list, time } from "./fields.ts";

/** Queries and answers of `/v1` about alerts. */

export const CHANNEL_NAMES = ["slack", "email", "pagerduty", "webhook"] as const;
export const DELIVERY_STATUSES = ["queued", "sent", "failed", "dropped"] as const;

export const deliveryView = z.object({
  id: z.string(),
  channel: z.enum(CHANNEL_NAMES),
  kind: z
    .enum(["changed", "down", "recovered", "test", "replaced"])
    .describe("What was told; `replaced` closes an incident that gave way to another one"),
  receiver: z.string().describe("Address that was written to; of secret ones only the tail"),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe("`failed` was given up, `dropped` was not to be sent any more; `answer` says why"),
  tries: z.int(),
  answer: z.string().nullable().describe("What the receiver answered last"),
  createdAt: time,
  nextTryAt: time.nullable().describe("Null unless it is queued"),
  endedAt: time.nullable(),
});

export const deliveryList = list(deliveryView);

/** A chart has no room for more. */
export const MARKS_AT_MOST = 500;

/** Answer to `GET /v1/monitors/:id/alerts`. */
export const alertsView = z.object({
  alerts: z
    .array(
      z.object({
        at: time,
        kind: z.enum(["changed", "down", "recovered"]),
        checkId: z.string().describe("The check that it was told of"),
      }),
    )
    .describe("When people were told, oldest first"),
  snoozes: z
    .array(z.object({ from: time, until: time.describe("When it ends, or was lifted") }))
    .describe("Oldest first"),
  receivers: z.array(deliveryView).describe("The last message to each receiver, of all that is kept"),
});

/** Answer of `GET /v1/alerts/channels`. */
export const channelsHere = z.object({
  email: z
    .boolean()
    .describe("Whether this service has a mail server; the other channels need nothing of it"),
});

/** Hours for which alerts can be kept back. */
export const SNOOZE_HOURS = { min: 1, max: 720 } as const;

/** Query of the forms that a signed link opens. */
export const snoozeQuery = z.object({
  hours: z.coerce
    .number()
    .int()
    .min(SNOOZE_HOURS.min)
    .max(SNOOZE_HOURS.max)
    .describe("How long nobody is told anything"),
});

export type ChannelsHere = z.infer<typeof channelsHere>;
export type ChannelName = (typeof CHANNEL_NAMES)[number];
export type DeliveryView = z.infer<typeof deliveryView>;
export type AlertsView = z.infer<typeof alertsView>;
export type DeliveryList = z.infer<typeof deliveryList>;
