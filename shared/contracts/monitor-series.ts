import { z } from "zod";
import { time } from "./fields.ts";

/** Queries and answers of `/v1` that charts of monitors are drawn from. */

/** A chart is no wider than that; a day of a check every five minutes is one point a check. */
export const SERIES_POINTS = 288;

/** How far back a chart goes. */
export const seriesQuery = z.object({
  days: z.coerce.number().int().min(1).max(90).default(7).describe("How far back"),
});

/** Checks of a stretch of time. */
const stretch = z.object({
  at: time.describe("When the last of them began"),
  checks: z.int(),
  changed: z.int().describe("Those that found pages to look different"),
  down: z.int(),
  failed: z.int(),
  checkId: z.string().describe("The one that found the largest difference, or was the last"),
  runId: z.string().describe("The run of that check to open"),
});

const line = z.object({
  route: z.string(),
  viewport: z.int(),
  ratios: z
    .array(z.number().nullable())
    .describe("Of each stretch the largest share of changed pixels, 0–1; null where nothing was compared"),
});

/** Answer to `GET /v1/monitors/:id/drift`. */
export const driftView = z.object({
  from: time,
  to: time,
  stretchSeconds: z.int().describe("How long a stretch is; those without a check are left out"),
  threshold: z.number().describe("What is still no change, as the monitor has it now"),
  stretches: z.array(stretch).describe("Oldest first; of the address that the monitor has now"),
  pages: z.array(line).describe("One for each page and width, those with the largest difference first"),
});

export type SeriesQuery = z.infer<typeof seriesQuery>;
export type DriftView = z.infer<typeof driftView>;
export type DriftLine = z.infer<typeof line>;
export type DriftStretch = z.infer<typeof stretch>;
