import { z } from "zod";
import { pageFields } from "../capture/page-fields.ts";
import { REGION_OUTCOMES } from "../capture/region.ts";
import { faintPixels, list, time } from "../fields.ts";
import { runWarning } from "../runs/run-warning.ts";

/** Checks of monitors, as in the responses of `/v1/monitors`. */

export const CHECK_KINDS = ["scheduled", "manual"] as const;
export const CHECK_OUTCOMES = ["established", "ok", "changed", "down", "failed"] as const;
const PAGE_STATES = ["ok", "new", "changed", "failed"] as const;

/** What a region saw of the pages. */
const regionSummary = z.object({
  region: z.string(),
  outcome: z
    .enum(REGION_OUTCOMES)
    .describe(
      "`failing`: pages changed or don't respond. `no_node`: no renderer node of this region captured a page",
    ),
  changed: z.int().describe("Screenshots that changed"),
  down: z.int().describe("Screenshots of pages that don't respond"),
  failed: z.int().describe("Screenshots that the service could not capture"),
});

/** A check without the differences of its pages. */
export const checkSummary = z.object({
  id: z.string(),
  runId: z
    .string()
    .describe(
      "The run to open. For a changed check, this is the confirmation run: approve it to update the baseline. Otherwise, it is the first run, with all pages",
    ),
  kind: z.enum(CHECK_KINDS),
  outcome: z.enum(CHECK_OUTCOMES).nullable().describe("Null while the check is running"),
  error: z.string().nullable().describe("Why the site counts as down, or why the check failed"),
  maintenance: z
    .boolean()
    .describe("Whether it ran during maintenance. Such a check doesn't alert or count toward the uptime"),
  attempts: z
    .int()
    .describe("Number of attempts. The service confirms changes and failures with another attempt"),
  startedAt: time,
  endedAt: time.nullable(),
  report: z.string().describe("Link to the run's report. Opens without signing in until it expires"),
  regions: z
    .array(regionSummary)
    .default([])
    .describe("What each region saw. Empty without regions, and while the check is running"),
  agree: z.int().default(1).describe("Number of regions that had to agree when the check started"),
  faintPixels: faintPixels.describe(
    "Most pixels of a page whose colors differ by less than the default color threshold, on pages without other changes",
  ),
});

/** A check in the history, with the differences to plot. */
export const checkView = checkSummary.extend({
  drift: z
    .array(
      z.object({
        route: z.string(),
        stateName: pageFields.state,
        environment: pageFields.environment,
        region: z
          .string()
          .nullable()
          .default(null)
          .describe("Region that captured it. Null without regions. Its name is part of `environment`"),
        viewport: z.int(),
        ratio: z.number().nullable().describe("Share of changed pixels, 0–1. Null if nothing was compared"),
        faintPixels,
        state: z.enum(PAGE_STATES),
        minor: z
          .boolean()
          .describe(
            "Whether it is a minor change: `ratio` or `faintPixels` is above 0, but the difference is within the alert threshold",
          ),
      }),
    )
    .describe(
      "One entry for each page, in each state, environment, viewport and region. Empty while the check is running",
    ),
  warnings: z.array(runWarning).describe("What to know of the check, such as baselines of another browser"),
});

/** Enough for a sparkline of the last hours or days. */
export const RECENT_CHECKS = 30;

/** Summary of a completed check. */
export const recentCheck = z.object({
  id: z.string(),
  runId: z.string().describe("The run to open, as in `lastCheck`"),
  outcome: z.enum(CHECK_OUTCOMES),
  startedAt: time,
  ratio: z.number().nullable().describe("Largest share of changed pixels, 0–1. Null if nothing was compared"),
});

export const checkList = list(checkView);

export type RegionSummary = z.infer<typeof regionSummary>;
export type CheckView = z.infer<typeof checkView>;
export type RecentCheck = z.infer<typeof recentCheck>;
export type CheckSummary = z.infer<typeof checkSummary>;
export type CheckKind = (typeof CHECK_KINDS)[number];
export type CheckOutcomeName = (typeof CHECK_OUTCOMES)[number];
export type PageState = (typeof PAGE_STATES)[number];
export type CheckList = z.infer<typeof checkList>;
