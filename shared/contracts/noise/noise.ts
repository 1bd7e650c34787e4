import { z } from "zod";
import { imageRegion } from "../capture/ignore-region.ts";
import { pageFields, pageInput } from "../capture/page-fields.ts";
import { link, region, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";
import { projectName } from "./ignore-rules.ts";

/** Queries, bodies, and responses of `/v1` on flaky pages and their ignore regions. */

/** How noise is detected. */
export const NOISE_KINDS = ["unstable", "retried", "nullRerun", "rejectedAsNoise"] as const;

/** Query of `GET /v1/noise`. */
export const noiseQuery = z.strictObject({ project: projectName });

const regionOfPage = {
  project: projectName,
  ...pageInput,
  ...imageRegion.fields,
};

/** Body of `POST /v1/noise/dismiss`. */
export const dismissRegionBody = z
  .strictObject(regionOfPage)
  .refine(imageRegion.isInBounds, imageRegion.outOfBounds);

const scoredDay = z.object({
  day: z.string().describe("Date in UTC, such as 2026-11-24"),
  captures: z.int(),
  noisy: z
    .int()
    .describe("Captures that were noise: unstable, retried, changed in a null rerun, or rejected as noise"),
  score: z.number().describe("Flake score at the end of the day, 0–1"),
});

/** A page on which noise was observed. */
const flakyPage = z.object({
  ...pageFields,
  score: z.number().describe("Flake score: share of the page's recent captures that were noise, 0–1"),
  captures: z.int().describe("Captures in the last 30 days"),
  noisy: z.int().describe("Captures that were noise"),
  lastAt: time.describe("Latest observation of noise"),
  history: z.array(scoredDay).describe("The last 30 days, oldest first"),
});

/** A region with noise in at least three screenshots. */
const suggestedRegion = z.object({
  ...pageFields,
  ...region.shape,
  observations: z.int().describe("Screenshots in which it was noise"),
  kinds: z
    .array(z.enum(NOISE_KINDS))
    .describe(
      "Sources of the observations: unstable captures, retried captures, null reruns, rejections as noise",
    ),
  lastAt: time,
  screenshot: z
    .object({ id: z.string(), runId: z.string(), image: link, width: z.int(), height: z.int() })
    .nullable()
    .describe("The latest such screenshot. Null if its run was deleted"),
});

/** One run of the project that was repeated. */
const nullRerun = z.object({
  runId: z.string(),
  ofRunId: z.string().describe("The run that was repeated"),
  at: time.describe("Scheduled time"),
  compared: z.int().nullable().describe("Compared screenshots. Null until the null rerun ends"),
  falseAlarms: z.int().nullable().describe("Compared screenshots that differ"),
  skipped: z
    .enum(["plan_limit_exceeded", "expired", "deleted"])
    .nullable()
    .describe("Why the null rerun was skipped, else null"),
  kept: z.boolean().describe("Whether the run is stored"),
});

/** Response of `GET /v1/noise`. */
export const noiseView = z.object({
  project: z.string(),
  projectId: z.string(),
  pages: z.array(flakyPage).describe("At most 50 pages, flakiest first"),
  suggestions: z
    .array(suggestedRegion)
    .describe("At most 100 suggested ignore regions, most observations first"),
  nullReruns: z
    .object({
      enabled: z.boolean(),
      compared: z.int().describe("Compared screenshots"),
      falseAlarms: z.int().describe("Compared screenshots that differ"),
      rate: z
        .number()
        .nullable()
        .describe("Share of false alarms among compared screenshots, 0–1. Null if nothing was compared"),
      history: z.array(nullRerun).describe("Null reruns, latest first"),
    })
    .describe("Null reruns of the last 30 days"),
});

export type NoiseKind = (typeof NOISE_KINDS)[number];
export type NoiseQuery = z.infer<typeof noiseQuery>;
export type DismissRegion = z.infer<typeof dismissRegionBody>;
export type NoiseView = z.infer<typeof noiseView>;

/** Actions of the runs service on noise. */
export interface NoiseActions {
  "runs.noise": Action<{ query: NoiseQuery }, NoiseView>;
  /** Dismisses a suggestion until it is noise in three more screenshots. */
  "runs.dismissRegion": Action<DismissRegion, null>;
}
