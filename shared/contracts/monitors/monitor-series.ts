import { z } from "zod";
import { pageFields } from "../capture/page-fields.ts";
import { time } from "../fields.ts";
import { pastMaintenance } from "./maintenance.ts";

/** Queries and responses of `/v1` for charts of monitors. */

/** The width of a chart. A day with a check every five minutes has one point per check. */
export const MAX_SERIES_POINTS = 288;

/** The period of a chart. */
export const seriesQuery = z.object({
  days: z.coerce.number().int().min(1).max(90).default(7).describe("Days before now"),
});

/** The checks of an interval. */
const stretch = z.object({
  at: time.describe("Start of the latest check in the interval"),
  checks: z.int(),
  changed: z.int().describe("Checks that found changed pages"),
  down: z.int(),
  failed: z.int(),
  checkId: z.string().describe("The check with the largest difference, else the latest check"),
  runId: z.string().describe("The run of that check"),
});

const line = z.object({
  ...pageFields,
  ratios: z
    .array(z.number().nullable())
    .describe("Largest share of changed pixels in each interval, 0–1. Null if nothing was compared"),
  faintPixels: z
    .array(z.int())
    .default([])
    .describe(
      "Most pixels whose colors differ by less than the default color threshold, in each interval. 0 if other pixels changed",
    ),
});

/** Answer to `GET /v1/monitors/:id/drift`. */
export const driftView = z.object({
  from: time,
  to: time,
  stretchSeconds: z.int().describe("Length of an interval. Intervals without checks are omitted"),
  threshold: z.number().describe("The monitor's current alert threshold"),
  maintenance: z.array(pastMaintenance).describe("When maintenance windows applied, oldest first"),
  stretches: z.array(stretch).describe("Intervals, oldest first. Only checks of the monitor's current URL"),
  pages: z
    .array(line)
    .describe("One line for each page, in each state, environment and viewport, largest difference first"),
});

export type SeriesQuery = z.infer<typeof seriesQuery>;
export type DriftView = z.infer<typeof driftView>;
export type DriftLine = z.infer<typeof line>;
export type DriftStretch = z.infer<typeof stretch>;
