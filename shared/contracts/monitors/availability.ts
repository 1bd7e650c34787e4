import { z } from "zod";
import { time } from "../fields.ts";

/** Queries and responses of `/v1` about the uptime and the response times of monitors. */

export const PERIOD_DAYS = [1, 7, 30, 90] as const;
export type PeriodDays = (typeof PERIOD_DAYS)[number];

const responseMs = z
  .int()
  .nullable()
  .describe("Mean time to the first byte of the page's document, in ms. Null if unknown");

const period = z.object({
  uptime: z.number().nullable().describe("Share of checks in which it responded, 0–1. Null without checks"),
  checks: z.int().describe("Checks that say whether it responded. Maintenance doesn't count"),
  responseMs,
  slowestMs: z.int().nullable().describe("The slowest response, in ms"),
});

/** One entry for each period. */
export const availability = z
  .object({ day: period, week: period, month: period, quarter: period })
  .describe("Uptime and response time over 24 hours, 7, 30 and 90 days");

const point = z.object({
  at: time.describe("Start of the hour or the day, UTC"),
  up: z.int(),
  down: z.int(),
  responseMs,
});

const series = z.object({
  ...availability.shape,
  points: z.array(point).describe("Hours or days with checks, oldest first"),
});

/** Query of `GET /v1/monitors/:id/uptime`. */
export const uptimeQuery = z.object({
  days: z.coerce
    .number()
    .pipe(z.union(PERIOD_DAYS.map(days => z.literal(days))))
    .default(90)
    .describe("The period of the points: 1, 7, 30 or 90 days"),
});

/** Response of `GET /v1/monitors/:id/uptime`. */
export const uptimeView = z.object({
  days: z.int(),
  unit: z.enum(["hour", "day"]).describe("What a point sums up: hours for 1 and 7 days, else days"),
  from: time,
  to: time,
  monitor: series.describe("The monitor as a whole. It is down while any of its pages is down"),
  pages: z.array(z.object({ route: z.string(), ...series.shape })),
});

export type Availability = z.infer<typeof availability>;
export type AvailabilityPeriod = z.infer<typeof period>;
export type UptimeQuery = z.infer<typeof uptimeQuery>;
export type UptimeView = z.infer<typeof uptimeView>;
export type UptimeSeries = z.infer<typeof series>;
