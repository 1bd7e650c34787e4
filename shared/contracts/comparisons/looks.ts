import { z } from "zod";
import { pageFields, pageQueryFields } from "../capture/page-fields.ts";
import { faintPixels, link, region, time } from "../fields.ts";
import { explanationSchema } from "../runs/explanation.ts";
import type { Action } from "../teams/team-actions.ts";

/** How the pages of monitors looked over time. */

export const LOOK_BOUNDS = { perPage: 50, days: 365 } as const;

/** Query of `GET /v1/monitors/:id/looks`. */
export const looksQuery = z.strictObject(pageQueryFields);

const commit = z.object({
  project: z.string(),
  branch: z.string().nullable().describe("Null for a pull request"),
  sha: z.string(),
  runId: z.string().describe("The run in which the same pixels were approved"),
});

const change = z.object({
  status: z
    .enum(["comparing", "compared", "failed"])
    .describe("`comparing`: send the same request again after a second"),
  diffRatio: z.number().nullable().describe("Share of changed pixels, 0–1"),
  diffPixels: z.int().nullable(),
  faintPixels,
  regions: z.array(region).describe("Changed regions in px"),
  diff: link.nullable().describe("Link to the diff image"),
  explanation: explanationSchema.nullable().describe("Why it looks different. Null if that is unknown"),
  thirdParties: z
    .array(z.string())
    .describe("URLs of changed files from other hosts that caused the change, if known"),
});

const look = z.object({
  id: z.string(),
  hash: z.string().describe("SHA-256 of the image. Equal looks have equal hashes"),
  from: time.describe("Start of the check that saw it first"),
  until: time.nullable().describe("Start of the check that saw the next look. Null for the current look"),
  seenAt: time.describe("Start of the latest check that saw it"),
  checks: z.int().describe("Number of checks in a row that saw it"),
  checkId: z.string().describe("The check that saw it first"),
  runId: z.string().describe("The run of that check. It may be deleted by now"),
  width: z.int().nullable().describe("Image width in px"),
  height: z.int().nullable().describe("Image height in px"),
  image: link.describe("Link that opens without an API key"),
  change: change.nullable().describe("The difference from the look before. Null for the first one"),
  commit: commit
    .nullable()
    .describe(
      "The latest commit before it with the same pixels of the page in another project. Null if none is known",
    ),
});

/** The looks of a page, as in the response of `GET /v1/monitors/:id/looks`. */
export const looksView = z.object({
  ...pageFields,
  status: z.enum(["comparing", "completed"]),
  looks: z
    .array(look)
    .describe(
      `Oldest first. Kept for ${LOOK_BOUNDS.days} days, at most ${LOOK_BOUNDS.perPage} of a page, also after their checks and runs are deleted`,
    ),
});

/** A page that a check captured. */
export interface SeenPage {
  runId: string;
  screenshotId: string;
}

/** Actions of looks. */
export interface LookActions {
  /** Records how the pages of a monitor looked in a check. Repeated calls change nothing. */
  "runs.recordLooks": Action<
    { teamId: string; project: string; checkId: string; at: string; pages: SeenPage[] },
    null
  >;
  /** Returns the looks of a page. The calling service checks that the caller has the monitor. */
  "runs.looks": Action<{ project: string; site: string; query: LooksQuery }, LooksView>;
}

export type LooksQuery = z.infer<typeof looksQuery>;
export type LooksView = z.infer<typeof looksView>;
export type Look = z.infer<typeof look>;
