import { z } from "zod";
import type { CaptureFailure } from "../../shared/capture/capture-failure.ts";
import { diagnosticsSchema } from "../../shared/contracts/capture/diagnostics.ts";
import { selectorRegionsSchema } from "../../shared/contracts/capture/ignore-region.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { explanationSchema } from "../../shared/contracts/runs/explanation.ts";
import { proofSchema } from "../../shared/contracts/runs/proof.ts";
import { NAMINGS } from "../screenshots/naming.ts";

const SCREENSHOT_STATUSES = ["unchanged", "changed", "new", "removed", "failed"] as const;
export type ScreenshotStatus = (typeof SCREENSHOT_STATUSES)[number];

/** Facts on the baseline that was compared with. */
const baselineFactsSchema = z.object({
  /** File name in the baselines folder. */
  file: z.string(),
  /** SHA-256 of that file, hex. */
  hash: z.string(),
  /** px; null before the file is read. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** Such as `chromium 153.0.8010.0` and `linux x64`; null if the manifest doesn't say. */
  browser: z.string().nullable(),
  platform: z.string().nullable(),
});

const path = z.string().nullable();

/** A code of `CaptureError`, `unreadable_baseline`, or for a file `unreadable_screenshot`. */
const failureSchema = z.object({
  code: z.custom<CaptureFailure | "unreadable_baseline" | "unreadable_screenshot">(
    value => typeof value === "string",
  ),
  message: z.string(),
});

const region = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
/** The selector is absent for a rectangle. */
const ignoredRegion = region.extend({ pixels: z.number(), selector: z.string().optional() });

const checkedScreenshotSchema = z.object({
  /** Path of the page, or name of a screenshot file. */
  route: z.string(),
  /** Name of the state; null for the page's own screenshot. */
  state: z.string().nullable().default(null),
  /** Name of the environment; null for the default one. */
  environment: z.string().nullable().default(null),
  /** Width, px. */
  viewport: z.number(),
  status: z.enum(SCREENSHOT_STATUSES),
  /** px; null without a capture. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** Share of changed pixels, 0–1; null without a comparison. */
  diffRatio: z.number().nullable(),
  diffPixels: z.number().nullable(),
  /** Pixels whose colors differ by less than the default color threshold. 0 if other pixels changed. */
  faintPixels: z.number().default(0),
  /** Whether it is a minor change: within the threshold, with `diffPixels` or `faintPixels` above 0. */
  minor: z.boolean().default(false),
  /** Allowed share of changed pixels for this route. */
  threshold: z.number(),
  /** Changed regions outside of ignore regions, px. */
  regions: z.array(region),
  /** The page's ignore regions, px, and the number of changed pixels in them. */
  ignored: z
    .object({ pixels: z.number(), regions: z.array(ignoredRegion) })
    .default({ pixels: 0, regions: [] }),
  /** Where the elements of the page's ignore regions are, px, for later comparisons. */
  selectorRegions: z.array(selectorRegionsSchema).default([]),
  /** Equal fingerprints mean identical changes. */
  fingerprint: z.string().nullable(),
  /** Why it differs from the baseline; null if that is unknown on this machine. */
  explanation: explanationSchema.nullable().default(null),
  /** The proof of its cause; null if none was asked for, or if nothing is known about its baseline. */
  proof: proofSchema
    .pick({ status: true, outcome: true, text: true, files: true, captures: true })
    .nullable()
    .default(null),
  /** Absolute paths of PNG files; null if missing. */
  files: z.object({
    current: path,
    baseline: path,
    diff: path,
    /** The page when its step or its login failed; absent for other failures. */
    failure: z.string().optional(),
  }),
  /** SHA-256 of the capture's PNG, hex. */
  hash: z.string().nullable(),
  /** The compared baseline; null if there is none. */
  baseline: baselineFactsSchema.nullable(),
  /** For a new screenshot: the removed route with the same pixels in this state, environment and width. `vrs approve` renames it. */
  renamedFrom: z.string().nullable(),
  /**
   * For a screenshot file: the name and width of its baseline, if they were others. `vrs approve` replaces that
   * baseline.
   */
  replaces: z.object({ route: z.string(), viewport: z.number() }).nullable().default(null),
  /**
   * For a changed screenshot: whether the baseline is from another browser or system, so that text rendering
   * alone may explain the difference.
   */
  otherBrowser: z.boolean(),
  stable: z.boolean(),
  /** Moving elements, if the page isn't stable. */
  moving: z.array(z.string()),
  /** Number of attempts. */
  attempts: z.number(),
  /** Such as `chromium 153.0.8010.0`. */
  browser: z.string().nullable(),
  /** Milliseconds per step. */
  timings: z.record(z.string(), z.number()),
  /** The failure, in words that the user can act on. */
  error: failureSchema.nullable(),
  /** Remarks, such as that the page was cut, or that the baseline is from another browser. */
  notes: z.array(z.string()),
  /** What went wrong in the page; null if nothing. */
  diagnostics: diagnosticsSchema.nullable().default(null),
});

/** One screenshot of a check, as in the JSON, in reports and in plugins. */
export type CheckedScreenshot = z.infer<typeof checkedScreenshotSchema>;

export type CheckConclusion = "passed" | "changed" | "failed";

/** What a check of only the changed stories captured. */
const changedStoriesSchema = z.object({
  /** Screenshots. The audited ones are among the captured. */
  captured: z.number(),
  skipped: z.number(),
  audited: z.number(),
  /** Audited screenshots that changed although nothing they load did. */
  missed: z.array(z.string()),
});

/** The screenshot files of a check. */
const screenshotSourceSchema = z.object({
  /** Folders, globs and files, as given. */
  patterns: z.array(z.string()),
  /** Name of their set of baselines; null for the unnamed one. */
  name: z.string().nullable(),
  /** The test tool that named the files; null for names that are paths. */
  naming: z.enum(NAMINGS).nullable(),
  /** Whether they are only some of the screenshots. Then none counts as removed. */
  subset: z.boolean(),
});

export type ScreenshotSource = z.infer<typeof screenshotSourceSchema>;

export const checkResultSchema = z.object({
  /** Version of this format. */
  version: z.literal(1),
  /** Version of vrs. */
  vrs: z.string(),
  /** URL of the application. For screenshot files, their folders. */
  baseUrl: z.string(),
  /** Source of the baselines: the folder's files, or a branch or commit of the repository. */
  baseline: z.object({ directory: z.string(), ref: z.string().nullable() }),
  /**
   * Source of the check: the configuration file (empty without one), a hash of its content, the checked-out commit,
   * and the screenshot files instead of pages.
   */
  source: z.object({
    config: z.string(),
    configHash: z.string(),
    commit: z.string().nullable(),
    screenshots: screenshotSourceSchema.nullable().default(null),
  }),
  /** Null for a check of everything. Skipped screenshots keep their baselines, and aren't in `screenshots`. */
  changedStories: changedStoriesSchema.nullable().default(null),
  /** Such as `chromium 153.0.8010.0`, and the operating system, such as `linux x64`. */
  browser: z.string().nullable(),
  platform: z.string(),
  startedAt: z.string(),
  durationMs: z.number(),
  /**
   * `failed` if a screenshot wasn't captured or compared, which approval can't fix. `changed` if one is
   * changed, new or removed. Otherwise `passed`.
   */
  conclusion: z.enum(["passed", "changed", "failed"]),
  counts: z.object({
    /** Within the threshold, including minor changes. */
    unchanged: z.number(),
    /** Unchanged screenshots with changed pixels, also counted in `unchanged`. */
    minor: z.number().default(0),
    changed: z.number(),
    new: z.number(),
    removed: z.number(),
    failed: z.number(),
  }),
  /** In the order of the configuration, removed ones last. */
  screenshots: z.array(checkedScreenshotSchema),
  /** Warnings about the whole check, such as baselines from another browser or system. */
  warnings: z.array(z.string()),
  /** Absolute path of the HTML report; null if none was requested. */
  report: path,
});

/** The result of a check: the document of `vrs check --json`, and `result.json` beside the report. */
export type CheckResult = z.infer<typeof checkResultSchema>;

/** An event of a running check. */
export type CheckEvent =
  | { type: "planned"; shots: ScreenshotKey[] }
  | { type: "warning" | "note"; message: string }
  | { type: "started"; route: string }
  | { type: "done"; shot: CheckedScreenshot }
  | { type: "completed"; result: CheckResult };
