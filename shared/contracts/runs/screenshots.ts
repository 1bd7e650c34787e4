import { z } from "zod";
import { uploadView } from "../builds/uploaded-screenshot.ts";
import { BOUNDS } from "../capture/bounds.ts";
import { diagnosticsSchema } from "../capture/diagnostics.ts";
import { pageFields } from "../capture/page-fields.ts";
import { stepResult } from "../capture/step-result.ts";
import { productionView } from "../comparisons/production.ts";
import { faintPixels, ignoredRegion, link, list, pageQuery, region } from "../fields.ts";
import { carriedView, reviewStateView, reviewView } from "../reviews/review-view.ts";
import { explanationSchema } from "./explanation.ts";
import { proofSchema } from "./proof.ts";
import { storyView } from "./stories.ts";

/** Screenshots of runs, as in the responses of `/v1`. */

export const SCREENSHOT_STATUSES = ["pending", "unchanged", "changed", "new", "removed", "failed"] as const;

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

export type ScreenshotStatus = (typeof SCREENSHOT_STATUSES)[number];
export type ScreenshotView = z.infer<typeof screenshotView>;
export type ListScreenshotsQuery = z.infer<typeof listScreenshotsQuery>;
export type ScreenshotList = z.infer<typeof screenshotList>;
