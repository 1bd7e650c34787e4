import { z } from "zod";
import { BOUNDS } from "./capture-options.ts";
import { ignoredRegion, link, list, pageQuery, region, teamOfStream, time, withMonitors } from "./fields.ts";
import { carriedView, reviewStateView, reviewView } from "./review-view.ts";
import { scm } from "./scm.ts";

/** Runs and their screenshots as `/v1` answers them. As every schema here: the one source of validation, of TypeScript types and of the OpenAPI document. */

export const ROLES = ["viewer", "reviewer", "admin"] as const;
export const RUN_STATUSES = ["queued", "rendering", "comparing", "completed", "failed", "canceled"] as const;
/** A null rerun repeats another run to see which pages differ although nothing changed. */
export const RUN_KINDS = ["run", "null-rerun"] as const;
export const CONCLUSIONS = ["passed", "changed", "new", "approved", "rejected"] as const;
export const SCREENSHOT_STATUSES = ["pending", "unchanged", "changed", "new", "removed", "failed"] as const;

export const runLinks = z.object({
  self: link,
  report: link.describe("Opens without signing in until it expires, unless the team wants a sign-in"),
});

const counts = z.object({
  unchanged: z.int().describe("Within the threshold; minor changes are among them"),
  minor: z.int().describe("Unchanged ones with changed pixels; they are counted in unchanged too"),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  failed: z.int(),
});

/** A run as `GET /v1/runs/:id` answers it. */
export const runView = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  conclusion: z.enum(CONCLUSIONS).nullable().describe("Null until completed"),
  kind: z
    .enum(RUN_KINDS)
    .describe(
      "null-rerun: the service repeats a run to count false alarms. It is in no list and not reviewed",
    ),
  project: z.string(),
  url: z.string(),
  branch: z
    .string()
    .nullable()
    .describe(
      "Where the submission named none, the project's default branch of then; null where it named a pull request",
    ),
  scm: scm.nullable(),
  threshold: z.number(),
  submittedBy: z.string().nullable().describe("Name of the person or key, as named then"),
  progress: z
    .object({ total: z.int(), captured: z.int(), compared: z.int() })
    .describe("Screenshots; removed ones are not among them"),
  counts: counts.describe("Screenshots by status"),
  createdAt: time,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  error: z.string().nullable().describe("Why the run failed"),
  links: runLinks,
});

/** Query of `GET /v1/runs`. */
export const listRunsQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(RUN_STATUSES).optional(),
  conclusion: z.enum(CONCLUSIONS).optional(),
  project: z.string().max(200).optional(),
  branch: z.string().max(255).optional(),
  monitors: withMonitors.describe("0 leaves out the checks of monitors; they are listed unless it says so"),
});

export const runList = list(runView);

/** One screenshot's metadata. */
const screenshotView = z.object({
  id: z.string(),
  route: z.string(),
  viewport: z.int().describe("Width, px"),
  status: z.enum(SCREENSHOT_STATUSES),
  width: z.int().nullable().describe("Of the image, px"),
  height: z.int().nullable().describe("Of the image, px"),
  diffRatio: z.number().nullable().describe("Changed pixels over all pixels, 0–1"),
  diffPixels: z.int().nullable(),
  minor: z
    .boolean()
    .describe(
      "Whether it is a minor change: unchanged, as it is within the threshold, and diffPixels above 0",
    ),
  regions: z.array(region).describe("Where it changed outside of ignore regions, px"),
  ignored: z
    .object({ pixels: z.int(), regions: z.array(ignoredRegion) })
    .describe("The ignore regions of the page, and the changed pixels that they hid"),
  flakeScore: z
    .number()
    .describe("Share of the page's recent captures that were noise, 0–1, as of the run's end"),
  fingerprint: z.string().nullable().describe("Equal for equal changes on different pages"),
  baseline: z
    .object({
      runId: z.string(),
      reason: z.string(),
      width: z.int().nullable().describe("Of its image, px"),
      height: z.int().nullable().describe("Of its image, px"),
    })
    .nullable()
    .describe("The run that it was approved in, and why it is this one"),
  images: z
    .object({ current: link.nullable(), baseline: link.nullable(), diff: link.nullable() })
    .describe("Links that open without a key, for who has them"),
  stable: z.boolean().nullable().describe("False if no two loads in a row looked the same"),
  moving: z.array(z.string()).describe("What kept moving, when not stable"),
  attempts: z.int().describe("Screenshots taken until the page was stable"),
  browser: z.string().nullable(),
  notes: z.array(z.string()).describe("What a reviewer should know, in words"),
  review: reviewStateView.nullable().describe("Null where nobody reviews it, or what was said was dismissed"),
  reviews: z.array(reviewView).describe("What was said of it, the first at first"),
  carried: carriedView
    .nullable()
    .describe("Approved because the same change was, in this pull request or branch"),
  error: z.string().nullable().describe("Why it failed, and what to do"),
});

/** Query of `GET /v1/screenshots/:runId`; all screenshots unless a limit is given. */
export const listScreenshotsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(BOUNDS.screenshots).default(BOUNDS.screenshots),
  cursor: pageQuery.cursor,
  status: z.enum(SCREENSHOT_STATUSES).optional(),
  order: z
    .enum(["id", "need"])
    .optional()
    .describe(
      "id, unless said otherwise; need: what waits for a reviewer first and equal changes together, with a summary of all",
    ),
});

const howMany = z.int().optional();

const standings = z.object({
  changed: howMany,
  new: howMany,
  removed: howMany,
  failed: howMany,
  rejected: howMany,
  pending: howMany,
  approved: howMany,
  carried: howMany,
  minor: howMany,
  unchanged: howMany,
});

export const screenshotList = list(screenshotView).extend({
  summary: z
    .object({
      standings: standings.describe(
        "How many of all count as what: what was decided, else minor for a minor change, else the status",
      ),
      minor: standings
        .pick({ minor: true, approved: true, carried: true, rejected: true })
        .describe("How many of the minor changes count as what"),
      failed: z.int().describe("Those of all that could not be captured, rejected or not"),
      viewports: z.array(z.int()).describe("Widths, px"),
    })
    .optional()
    .describe("With the order need"),
});

/** The server-sent event `progress` of `GET /v1/runs/:id/events`. */
export const runProgress = runView.pick({
  id: true,
  status: true,
  conclusion: true,
  progress: true,
  counts: true,
  error: true,
});

/** Query of `GET /v1/runs/:id/events`. */
export const progressQuery = z.strictObject({
  reviews: z
    .enum(["0", "1"])
    .optional()
    .describe("1 keeps the stream open after the run's end: every review of it is told as another event"),
  team: teamOfStream,
});

export const reportQuery = z.strictObject({
  token: z.string().max(100).optional().describe("Part of the report's link; stands in for the API key"),
  download: z.enum(["0", "1"]).optional().describe("1 answers one file with its images inside"),
});

/** Body of every error (RFC 9457, `application/problem+json`). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  limit: z.number().optional(),
  used: z.number().optional(),
  resetsAt: z.string().optional(),
});

export type Role = (typeof ROLES)[number];
export type RunStatus = (typeof RUN_STATUSES)[number];
export type Conclusion = (typeof CONCLUSIONS)[number];
export type ScreenshotStatus = (typeof SCREENSHOT_STATUSES)[number];
export type RunView = z.infer<typeof runView>;
export type ListRunsQuery = z.infer<typeof listRunsQuery>;
export type RunList = z.infer<typeof runList>;
export type ProgressQuery = z.infer<typeof progressQuery>;
export type RunProgress = z.infer<typeof runProgress>;
export type ScreenshotView = z.infer<typeof screenshotView>;
export type ListScreenshotsQuery = z.infer<typeof listScreenshotsQuery>;
export type ScreenshotList = z.infer<typeof screenshotList>;
export type Problem = z.infer<typeof problem>;
