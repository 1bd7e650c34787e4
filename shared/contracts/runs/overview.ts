import { z } from "zod";
import { pageFields } from "../capture/page-fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Limits of an overview. */
export const OVERVIEW_BOUNDS = { days: 90, pages: 10, runs: 10 } as const;

/** Query of `GET /v1/overview`. */
export const overviewQuery = z.strictObject({
  project: z.string().min(1).max(200).describe("Project name, as in the run"),
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(OVERVIEW_BOUNDS.days)
    .default(30)
    .describe("Number of days, with today"),
});

const medianMs = z
  .number()
  .nullable()
  .describe("Median time from submission to conclusion, ms. Null without a run");

const figures = {
  runs: z.int().describe("Completed and failed runs"),
  changed: z.int().describe("Runs that found changed, new or removed pages, whatever reviewers decided"),
  failed: z.int().describe("Runs that failed"),
  screenshots: z.int(),
  changedScreenshots: z.int().describe("Changed, new and removed screenshots"),
  medianMs,
  captures: z.int().default(0).describe("Captured screenshots, with those of null reruns"),
  noisyCaptures: z
    .int()
    .default(0)
    .describe("Captures that were noise: unstable, retried, changed in a null rerun, or rejected as noise"),
};

/** Response of `GET /v1/overview`: how a project's runs develop, and which pages need attention. */
export const overviewView = z.object({
  project: z.string(),
  totals: z.object(figures),
  days: z
    .array(z.object({ day: z.string().describe("Date in UTC, such as 2026-11-24"), ...figures }))
    .describe("Every day, oldest first"),
  slowest: z
    .array(
      z.object({
        ...pageFields,
        ms: z.number().describe("Mean time to capture it, ms"),
        captures: z.int(),
      }),
    )
    .describe(
      `Pages that take longest to capture, in the last ${OVERVIEW_BOUNDS.runs} runs. At most ${OVERVIEW_BOUNDS.pages}`,
    ),
  flakiest: z
    .array(z.object({ ...pageFields, score: z.number().describe("Flake score, 0–1. See `GET /v1/noise`") }))
    .describe(`Pages with the highest flake scores. At most ${OVERVIEW_BOUNDS.pages}`),
});

export type OverviewQuery = z.infer<typeof overviewQuery>;
export type OverviewView = z.infer<typeof overviewView>;
export type OverviewFigures = OverviewView["totals"];

/** Actions of overviews. */
export interface OverviewActions {
  "runs.overview": Action<{ query: OverviewQuery }, OverviewView>;
}
