import { z } from "zod";
import { pageFields, pageFilters, pageQueryFields } from "../capture/page-fields.ts";
import { link, list, pageQuery, region, time } from "../fields.ts";
import { REVIEW_STATES } from "../reviews/review-view.ts";
import type { Action } from "../teams/team-actions.ts";
import { SCREENSHOT_STATUSES } from "./screenshots.ts";

/** Queries and responses of `/v1` on baselines, their history, and pages across runs. */

const projectName = z.string().min(1).max(200).describe("Project name, as in the run");
const { limit } = pageQuery;

/** The branch or pull request of the approvals. */
const scopeQuery = {
  branch: z.string().min(1).max(255).optional().describe("Only baselines of this branch"),
  pr: z.coerce.number().int().positive().optional().describe("Only baselines of this pull request"),
};

function isOneScope({ branch, pr }: { branch?: string | undefined; pr?: number | undefined }): boolean {
  return branch === undefined || pr === undefined;
}
const ONE_SCOPE = { error: "can't be combined with branch. Send one of them", path: ["pr"] };

/** Query of `GET /v1/baselines`. */
export const listBaselinesQuery = z
  .strictObject({
    project: projectName,
    ...scopeQuery,
    ...pageFilters,
    find: z.string().trim().max(200).optional().describe("Part of the route"),
    limit,
    // The cursor contains a route.
    cursor: z.string().max(12_000).optional().describe("`nextCursor` of the previous page"),
  })
  .refine(isOneScope, ONE_SCOPE);

/** Query of the history of a page. */
const pageHistoryQuery = z.strictObject({
  project: projectName,
  ...pageQueryFields,
  ...scopeQuery,
  limit,
  cursor: z.string().max(200).optional().describe("`nextCursor` of the previous page"),
});

/** Query of `GET /v1/baselines/history`. */
export const baselineHistoryQuery = pageHistoryQuery.refine(isOneScope, ONE_SCOPE);

/** Query of `GET /v1/screenshots`. */
export const screenshotHistoryQuery = pageHistoryQuery.refine(isOneScope, ONE_SCOPE);

const source = {
  branch: z.string().nullable().describe("Null for a pull request"),
  pr: z.int().nullable().describe("Pull request number. Null for a branch"),
  commit: z.string().nullable().describe("Commit SHA. Null if the run had none or was deleted"),
};

const images = z.object({ current: link.nullable(), baseline: link.nullable(), diff: link.nullable() });

/** An approval of one page. */
export const baselineView = z.object({
  id: z.string(),
  project: z.string(),
  ...pageFields,
  ...source,
  inForce: z.boolean().describe("Whether this is the current baseline of its branch or pull request"),
  removed: z.boolean().describe("True if the removal of the page was approved. There is no image then"),
  width: z.int().nullable().describe("Image width in px"),
  height: z.int().nullable().describe("Image height in px"),
  browser: z.string().nullable(),
  image: link.nullable().describe("Link that opens without an API key"),
  runId: z.string(),
  screenshotId: z.string(),
  runKept: z.boolean().describe("False if the run was deleted at the end of the plan's retention period"),
  approvedBy: z.array(z.string()).describe("Names at the time of the approval"),
  approvedAt: time,
  carriedFrom: z.string().nullable().describe("The run in which the same change was approved before"),
  restored: z
    .object({ by: z.string(), at: time })
    .nullable()
    .describe("Who restored this baseline, and when"),
});

export const baselineList = list(baselineView);

/** An approval with the approved change. */
const baselineEntry = baselineView.extend({
  change: z
    .object({
      diffRatio: z.number().nullable().describe("Share of changed pixels, 0–1"),
      regions: z.array(region).describe("Changed regions, in px"),
      width: z.int().nullable().describe("Width of the previous baseline in px"),
      height: z.int().nullable().describe("Height of the previous baseline in px"),
      images,
    })
    .nullable()
    .describe("Difference from the previous baseline. Null if there was none or the run was deleted"),
});

export const baselineHistory = list(baselineEntry);

/** A page in one run. */
const screenshotEntry = z.object({
  id: z.string(),
  runId: z.string(),
  ...source,
  at: time.describe("Submission time of the run"),
  status: z.enum(SCREENSHOT_STATUSES),
  minor: z.boolean().describe("Whether it was a minor change: pixels changed, but within the threshold"),
  review: z.enum(REVIEW_STATES).nullable(),
  carried: z.boolean().describe("Whether it was approved because the same change was approved before"),
  diffRatio: z.number().nullable().describe("Share of changed pixels, 0–1"),
  width: z.int().nullable().describe("Image width in px"),
  height: z.int().nullable().describe("Image height in px"),
  image: link.nullable(),
  stable: z.boolean().nullable(),
  attempts: z.int().describe("Screenshots taken until the page was stable"),
  browser: z.string().nullable(),
  timings: z.record(z.string(), z.int()).nullable().describe("Duration of each capture step in ms"),
});

export const screenshotHistory = list(screenshotEntry);

export type ListBaselinesQuery = z.infer<typeof listBaselinesQuery>;
export type PageHistoryQuery = z.infer<typeof pageHistoryQuery>;
export type BaselineView = z.infer<typeof baselineView>;
export type BaselineList = z.infer<typeof baselineList>;
export type BaselineEntry = z.infer<typeof baselineEntry>;
export type BaselineHistory = z.infer<typeof baselineHistory>;
export type ScreenshotEntry = z.infer<typeof screenshotEntry>;
export type ScreenshotHistory = z.infer<typeof screenshotHistory>;

/** Actions of the runs service on baselines. */
export interface BaselineActions {
  "runs.baselines": Action<{ query: ListBaselinesQuery }, BaselineList>;
  "runs.baselineHistory": Action<{ query: PageHistoryQuery }, BaselineHistory>;
  "runs.screenshotHistory": Action<{ query: PageHistoryQuery }, ScreenshotHistory>;
  /** Makes an earlier approval the current baseline of its branch or pull request again. */
  "runs.restoreBaseline": Action<{ id: string }, BaselineView>;
}
