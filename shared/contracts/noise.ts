import { z } from "zod";
import { routeSchema, viewportSchema } from "./capture-options.ts";
import { link, list, pageQuery, region, text, time } from "./fields.ts";
import { isInBounds, OUT_OF_BOUNDS, regionFields } from "./ignore-region.ts";
import type { Action } from "./team-actions.ts";

/** Queries, bodies and answers of `/v1` about flaky pages and their ignore regions. */

export const NOISE_BOUNDS = {
  /** More would hide the page. */
  regionsOfPage: 50,
  regionsOfProject: 2_000,
} as const;

/** How it becomes known that a page is flaky. */
export const NOISE_KINDS = ["unstable", "retried", "nullRerun", "rejectedAsNoise"] as const;

const projectName = z.string().min(1).max(200).describe("Name of the project, as the run has it");

/** Query of `GET /v1/noise`. */
export const noiseQuery = z.strictObject({ project: projectName });

/** Query of `GET /v1/ignore-regions`. */
export const listIgnoreRegionsQuery = z.strictObject({ project: projectName, ...pageQuery });

const place = {
  project: projectName,
  route: routeSchema,
  viewport: viewportSchema.describe("Width, px"),
  ...regionFields,
};

/** Body of `POST /v1/ignore-regions`. */
export const acceptRegionBody = z
  .strictObject({ ...place, reason: text(500).optional().describe("Why this region may be ignored") })
  .refine(isInBounds, OUT_OF_BOUNDS);

/** Body of `POST /v1/noise/dismiss`. */
export const dismissRegionBody = z.strictObject(place).refine(isInBounds, OUT_OF_BOUNDS);

const pagePlace = { route: z.string(), viewport: z.int().describe("Width, px") };

/** A region of a page in which changed pixels do not count. */
export const ignoreRegionView = z.object({
  id: z.string(),
  project: z.string(),
  ...pagePlace,
  ...region.shape,
  reason: z.string().nullable(),
  acceptedBy: z.string().describe("Name of the person or key, as named then"),
  acceptedAt: time,
});

export const ignoreRegionList = list(ignoreRegionView);

const scoredDay = z.object({
  day: z.string().describe("As 2026-11-24, UTC"),
  captures: z.int(),
  noisy: z
    .int()
    .describe("Captures that were noise: unstable, retried, changed in a null rerun, or rejected as noise"),
  score: z.number().describe("Flake score at the end of the day, 0–1"),
});

/** A page on which noise was observed. */
const flakyPage = z.object({
  ...pagePlace,
  score: z.number().describe("Flake score: share of the page's recent captures that were noise, 0–1"),
  captures: z.int().describe("Captures of the last 30 days"),
  noisy: z.int().describe("Those of them that were noise"),
  lastAt: time.describe("When noise was observed last"),
  history: z.array(scoredDay).describe("The last 30 days, oldest first"),
});

/** A region that was noise in the same place in three screenshots or more. */
const suggestedRegion = z.object({
  ...pagePlace,
  ...region.shape,
  observations: z.int().describe("Screenshots in which it was noise"),
  kinds: z
    .array(z.enum(NOISE_KINDS))
    .describe("How it became known: unstable captures, retried captures, null reruns, rejections as noise"),
  lastAt: time,
  screenshot: z
    .object({ id: z.string(), runId: z.string(), image: link, width: z.int(), height: z.int() })
    .nullable()
    .describe("The latest of them; null where its run is not kept any longer"),
});

/** One run of the project that was repeated. */
const nullRerun = z.object({
  runId: z.string(),
  ofRunId: z.string().describe("The run that it repeats"),
  at: time.describe("When it was scheduled"),
  compared: z.int().nullable().describe("Screenshots that were compared; null until it has ended"),
  falseAlarms: z.int().nullable().describe("Those of them that differ"),
  skipped: z
    .enum(["plan_limit_exceeded", "expired", "deleted"])
    .nullable()
    .describe("Why it did not run; else null"),
  kept: z.boolean().describe("Whether the run is stored"),
});

/** Answer of `GET /v1/noise`. */
export const noiseView = z.object({
  project: z.string(),
  projectId: z.string(),
  pages: z.array(flakyPage).describe("Flakiest first, 50 at most"),
  suggestions: z
    .array(suggestedRegion)
    .describe("Regions offered as ignore regions, most observations first, 100 at most"),
  nullReruns: z
    .object({
      enabled: z.boolean(),
      compared: z.int().describe("Screenshots that were compared"),
      falseAlarms: z.int().describe("Those of them that differ"),
      rate: z.number().nullable().describe("False alarms over screenshots compared, 0–1; null without any"),
      history: z.array(nullRerun).describe("Latest first"),
    })
    .describe("Of the last 30 days"),
});

export type NoiseKind = (typeof NOISE_KINDS)[number];
export type NoiseQuery = z.infer<typeof noiseQuery>;
export type ListIgnoreRegionsQuery = z.infer<typeof listIgnoreRegionsQuery>;
export type AcceptRegion = z.infer<typeof acceptRegionBody>;
export type DismissRegion = z.infer<typeof dismissRegionBody>;
export type IgnoreRegionView = z.infer<typeof ignoreRegionView>;
export type IgnoreRegionList = z.infer<typeof ignoreRegionList>;
export type NoiseView = z.infer<typeof noiseView>;

/** What the runs service answers about them. */
export interface NoiseActions {
  "runs.noise": Action<{ query: NoiseQuery }, NoiseView>;
  "runs.ignoreRegions": Action<{ query: ListIgnoreRegionsQuery }, IgnoreRegionList>;
  /** Has changed pixels in a region of a page not count from the next run on. */
  "runs.acceptRegion": Action<AcceptRegion, IgnoreRegionView>;
  /** Has a suggestion not be offered until it is noise three more times. */
  "runs.dismissRegion": Action<DismissRegion, null>;
  "runs.removeRegion": Action<{ id: string }, null>;
}
