import { z } from "zod";
import { BOUNDS } from "../capture/bounds.ts";
import { pageFields, pageFilters } from "../capture/page-fields.ts";
import { faintPixels, link, pageQuery, region, time } from "../fields.ts";
import { explanationSchema, runCausesSchema } from "../runs/explanation.ts";
import type { Action } from "../teams/team-actions.ts";
import { parseSide, SIDE_FORMS } from "./comparison-side.ts";

/** Query and response of `GET /v1/compare`. */

const side = z
  .string()
  .min(1)
  .max(600)
  .transform((text, context) => {
    const parsed = parseSide(text);
    if (typeof parsed !== "string") return parsed;
    context.addIssue({ code: "custom", message: parsed });
    return z.NEVER;
  });

const { environment } = pageFilters;

/** Query of `GET /v1/compare`. */
export const compareQuery = z.strictObject({
  base: side.describe(`What to compare with: ${SIDE_FORMS}`),
  head: side.describe("What to compare, in the same forms"),
  baseEnvironment: environment.describe(
    "Only screenshots of this environment on the base side. Pages then match in any environment. `default` is the one without settings",
  ),
  headEnvironment: environment.describe("The same for the head side"),
  route: pageFilters.route.describe("Only this page"),
  viewport: pageFilters.viewport.describe("Only this viewport width in px"),
  limit: z.coerce.number().int().min(1).max(BOUNDS.screenshots).default(BOUNDS.screenshots),
  cursor: pageQuery.cursor,
});

const COMPARED_STATUSES = ["comparing", "unchanged", "changed", "added", "removed", "failed"] as const;

const image = z.object({
  runId: z.string().nullable().describe("The run that captured it. Null if that is unknown"),
  screenshotId: z.string().nullable(),
  environment: pageFields.environment,
  at: time.nullable().describe("When it was approved, or first seen by the monitor. Null for runs"),
  width: z.int().nullable().describe("Image width in px"),
  height: z.int().nullable().describe("Image height in px"),
  browser: z.string().nullable(),
});

const pair = z.object({
  id: z.string().describe("Identifies the page in this comparison"),
  ...pageFields,
  status: z
    .enum(COMPARED_STATUSES)
    .describe(
      "`added`: only the head side has the page. `removed`: only the base side has it. `failed`: `error` says why",
    ),
  minor: z.boolean().describe("Whether pixels differ, but within the threshold"),
  threshold: z.number().describe("Share of changed pixels above which the page counts as changed, 0–1"),
  diffRatio: z.number().nullable().describe("Share of changed pixels, 0–1"),
  diffPixels: z.int().nullable(),
  faintPixels,
  regions: z.array(region).describe("Changed regions outside of ignore regions, in px"),
  fingerprint: z
    .string()
    .nullable()
    .describe("Identical changes on different pages have the same fingerprint"),
  explanation: explanationSchema.nullable().describe("Why the images differ. Null if that is unknown"),
  base: image.nullable().describe("Null if the base side doesn't have the page"),
  head: image.nullable().describe("Null if the head side doesn't have the page"),
  images: z
    .object({ current: link.nullable(), baseline: link.nullable(), diff: link.nullable() })
    .describe("Links that open without an API key. `current` is the head side, `baseline` the base side"),
  error: z.string().nullable().describe("Why the page could not be compared, and what to do"),
});

const sideView = z.object({
  kind: z.enum(["run", "branch", "monitor", "look"]),
  text: z.string().describe("The side as in the query"),
  label: z.string().describe("The side in words"),
  project: z.string(),
  runId: z.string().nullable(),
  branch: z.string().nullable(),
  monitorId: z.string().nullable(),
  at: time.nullable().describe("The time of a monitor's moment, or when the run was submitted"),
  commit: z.string().nullable().describe("Commit SHA of a run. Null if it had none"),
});

const number = z.int();

/** A comparison, as in the response of `GET /v1/compare`. */
export const comparisonView = z.object({
  status: z
    .enum(["comparing", "completed"])
    .describe("`comparing`: some pages are still being compared. Send the same request again after a second"),
  base: sideView,
  head: sideView,
  progress: z.object({ total: number, compared: number }).describe("Numbers of pages that both sides have"),
  counts: z.object({
    unchanged: number.describe("Within the threshold, including minor changes"),
    minor: number,
    changed: number,
    added: number,
    removed: number,
    failed: number,
    comparing: number,
  }),
  causes: runCausesSchema.describe("Why pages changed, most frequent first, where that is known"),
  groups: z
    .array(
      z.object({
        cause: z.string().nullable().describe("The first cause in words. Null if it is unknown"),
        pages: z.array(z.string()).describe("Ids of pages with the same change or the same causes"),
      }),
    )
    .describe("Changed pages by cause, largest group first"),
  data: z.array(pair).describe("Pages of both sides, by route"),
  nextCursor: z.string().nullable(),
});

/** Actions of comparisons. */
export interface ComparisonActions {
  /** Compares two sides. Repeated calls continue where the last one stopped. */
  "runs.compare": Action<{ query: CompareQuery }, ComparisonView>;
}

export type CompareQuery = z.infer<typeof compareQuery>;
export type CompareInput = z.input<typeof compareQuery>;
export type ComparisonView = z.infer<typeof comparisonView>;
export type ComparedPair = z.infer<typeof pair>;
export type ComparedSideView = z.infer<typeof sideView>;
