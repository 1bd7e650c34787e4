import { z } from "zod";
import { uploadView } from "../builds/uploaded-screenshot.ts";
import { BOUNDS } from "../capture/bounds.ts";
import { diagnosticsSchema } from "../capture/diagnostics.ts";
import { pageFields } from "../capture/page-fields.ts";
import { stepResult } from "../capture/step-result.ts";
import { scm } from "../code-host/scm.ts";
import { productionView } from "../comparisons/production.ts";
import { configuredBy } from "../configuration/configured-by.ts";
import {
  faintPixels,
  ignoredRegion,
  link,
  list,
  pageQuery,
  region,
  teamOfStream,
  time,
  withMonitors,
} from "../fields.ts";
import { explanationSchema, runCausesSchema } from "./explanation.ts";
import { intentView } from "./intent.ts";
import { proofSchema } from "./proof.ts";
import { carriedView, reviewStateView, reviewView } from "./review-view.ts";
import { runWarning } from "./run-warning.ts";
import { skippedStories, storyView } from "./stories.ts";

/**
 * Runs and their screenshots, as in the responses of `/v1`. Schemas are the only source of validation, TypeScript
 * types, and the OpenAPI document.
 */

export const ROLES = ["viewer", "reviewer", "admin"] as const;
export const RUN_STATUSES = ["queued", "rendering", "comparing", "completed", "failed", "canceled"] as const;
/** A null rerun repeats another run to see which pages differ although nothing changed. A trial tries a configuration. */
export const RUN_KINDS = ["run", "null-rerun", "trial"] as const;
/** How a run gets its screenshots: the service captures them, or users upload them. */
export const RUN_SOURCES = ["capture", "upload"] as const;
export const CONCLUSIONS = ["passed", "changed", "new", "approved", "rejected"] as const;
export const SCREENSHOT_STATUSES = ["pending", "unchanged", "changed", "new", "removed", "failed"] as const;

export const runLinks = z.object({
  self: link,
  report: link.describe(
    "Link to the report. Opens without signing in until it expires, unless the team requires a sign-in",
  ),
});

const counts = z.object({
  unchanged: z.int().describe("Within the threshold, including minor changes"),
  minor: z
    .int()
    .describe("Minor changes: unchanged screenshots with changed pixels. Also counted in `unchanged`"),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  failed: z.int(),
});

/** A run, as in the response of `GET /v1/runs/:id`. */
export const runView = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  conclusion: z.enum(CONCLUSIONS).nullable().describe("Null until the run is completed"),
  kind: z
    .enum(RUN_KINDS)
    .describe(
      "`null-rerun`: the service repeats a run to count false alarms. `trial`: tries a configuration. Lists include neither, and they can't be reviewed",
    ),
  source: z
    .enum(RUN_SOURCES)
    .default("capture")
    .describe("`upload` for a build, whose screenshots were uploaded"),
  project: z.string(),
  url: z.string().describe("URL of the site. Empty for a build without one"),
  branch: z
    .string()
    .nullable()
    .describe(
      "Branch of the run, by default the project's default branch at submission. Null for a pull request",
    ),
  scm: scm.nullable(),
  threshold: z.number(),
  submittedBy: z.string().nullable().describe("Name of the user or API key at submission"),
  progress: z
    .object({ total: z.int(), captured: z.int(), compared: z.int() })
    .describe("Numbers of screenshots, without removed pages"),
  counts: counts.describe("Numbers of screenshots by status"),
  createdAt: time,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  error: z.string().nullable().describe("Why the run failed"),
  warnings: z
    .array(runWarning)
    .default([])
    .describe(
      "What reviewers should know. For example, the configuration has errors, other renderers captured the baselines, or no renderer is connected",
    ),
  causes: runCausesSchema
    .default([])
    .describe("Why screenshots changed, most frequent first, where that is known. Empty until the run ends"),
  stories: skippedStories
    .optional()
    .describe(
      "Which stories were skipped. Only for runs with `storybook.onlyChanged`, after they were listed",
    ),
  intent: intentView
    .optional()
    .describe("What the run was meant to change. Set if the submission had an `intent`"),
  configuredBy: configuredBy
    .optional()
    .describe("Fields that configurations set. The submission or a default set the others"),
  links: runLinks,
});

/** Query of `GET /v1/runs`. */
export const listRunsQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(RUN_STATUSES).optional(),
  conclusion: z.enum(CONCLUSIONS).optional(),
  project: z.string().max(200).optional(),
  branch: z.string().max(255).optional(),
  needsReview: z
    .enum(["1"])
    .optional()
    .describe(
      "`1` lists the runs that wait for decisions. Omits runs with a newer run of the same branch or pull request",
    ),
  monitors: withMonitors.describe("`0` omits the runs of monitors, which are included by default"),
});

export const runList = list(runView);

/** One screenshot's metadata. */
const screenshotView = z.object({
  id: z.string(),
  ...pageFields,
  status: z.enum(SCREENSHOT_STATUSES),
  width: z.int().nullable().describe("Image width in px"),
  height: z.int().nullable().describe("Image height in px"),
  diffRatio: z.number().nullable().describe("Share of changed pixels, 0–1"),
  diffPixels: z.int().nullable(),
  faintPixels,
  minor: z
    .boolean()
    .describe(
      "Whether it is a minor change: `diffPixels` or `faintPixels` is above 0, but the difference is within the threshold",
    ),
  regions: z.array(region).describe("Changed regions outside of ignore regions, in px"),
  ignored: z
    .object({ pixels: z.int(), regions: z.array(ignoredRegion) })
    .describe("Ignore regions of the page, and the number of changed pixels inside them"),
  raised: z
    .object({
      rule: z.string().describe("Id of the ignore rule"),
      from: z.number().describe("The threshold without it"),
      to: z.number(),
    })
    .nullable()
    .default(null)
    .describe("Set if an ignore rule raised the page's threshold"),
  flakeScore: z
    .number()
    .describe("Flake score at the end of the run: share of the page's recent captures that were noise, 0–1"),
  fingerprint: z
    .string()
    .nullable()
    .describe("Identical changes on different pages have the same fingerprint"),
  explanation: explanationSchema
    .nullable()
    .default(null)
    .describe("Why it differs from the baseline. Null if that is unknown"),
  intended: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      "Whether it differs as the run was meant to change. Null if nothing differs. Only in runs with an `intent`",
    ),
  production: productionView
    .nullable()
    .default(null)
    .describe(
      "Set if a monitor of the team saw the same change in production before the run. The screenshot still needs review",
    ),
  proof: proofSchema
    .nullable()
    .default(null)
    .describe("The proof of its cause. Null if none was started. See `POST /v1/screenshots/{id}/prove`"),
  baseline: z
    .object({
      runId: z.string(),
      reason: z.string(),
      width: z.int().nullable().describe("Width of the baseline image in px"),
      height: z.int().nullable().describe("Height of the baseline image in px"),
    })
    .nullable()
    .describe("The run in which the baseline was approved, and why this baseline was chosen"),
  images: z
    .object({
      current: link.nullable(),
      baseline: link.nullable(),
      diff: link.nullable(),
      change: link
        .nullable()
        .optional()
        .describe("One picture, 720 px wide: the changed part in the baseline, the screenshot, and the diff"),
      failure: link
        .nullable()
        .optional()
        .describe(
          "The page when its step or its login failed, with passwords and secrets covered. Null for other failures",
        ),
    })
    .describe("Links that open without an API key"),
  stable: z.boolean().nullable().describe("False if no two consecutive screenshots were identical"),
  moving: z.array(z.string()).describe("Elements that kept changing, if not stable"),
  attempts: z.int().describe("Screenshots taken until the page was stable"),
  browser: z.string().nullable(),
  notes: z.array(z.string()).describe("Notes for reviewers"),
  steps: z.array(stepResult).optional().describe("Steps that ran before the screenshot, in order"),
  diagnostics: diagnosticsSchema
    .nullable()
    .default(null)
    .describe("What went wrong in the page until the screenshot. Null if nothing, or if that is unknown"),
  review: reviewStateView.nullable().describe("Null if there is no review, or all reviews were dismissed"),
  reviews: z.array(reviewView).describe("All reviews, oldest first"),
  carried: carriedView
    .nullable()
    .describe("Set if approved because the same change was approved before in this pull request or branch"),
  error: z.string().nullable().describe("Why the capture failed, and what to do"),
  story: storyView.optional().describe("Story that the page is"),
  upload: uploadView.optional().describe("Metadata of an uploaded screenshot"),
});

/** Query of `GET /v1/screenshots/:runId`. Without a limit, it returns all screenshots. */
export const listScreenshotsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(BOUNDS.screenshots).default(BOUNDS.screenshots),
  cursor: pageQuery.cursor,
  status: z.enum(SCREENSHOT_STATUSES).optional(),
  order: z
    .enum(["id", "need"])
    .optional()
    .describe(
      "`id` (default): by id. `need`: screenshots that need review first, identical changes together, with a summary",
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
        "Numbers of screenshots by state: the review's decision, else `minor` for a minor change, else the status",
      ),
      minor: standings
        .pick({ minor: true, approved: true, carried: true, rejected: true })
        .describe("Numbers of minor changes by state"),
      failed: z.int().describe("Screenshots that could not be captured, including rejected ones"),
      viewports: z.array(z.int()).describe("Viewport widths in px"),
      environments: z
        .array(z.string().nullable())
        .describe("Names of the environments. Null for the default one"),
    })
    .optional()
    .describe("Only with the order `need`"),
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
    .describe("`1` keeps the stream open after the run ends and sends an event for every review"),
  team: teamOfStream,
});

export const reportQuery = z.strictObject({
  token: z.string().max(100).optional().describe("Token of the report's link. Replaces the API key"),
  download: z.enum(["0", "1"]).optional().describe("`1` returns a single file that includes all images"),
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
export type RunKind = (typeof RUN_KINDS)[number];
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
