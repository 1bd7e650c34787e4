import { z } from "zod";
import type { CaptureFailure } from "../../shared/capture/capture-failure.ts";

/** A route and a width in px: what has one baseline. */
export interface Shot {
  route: string;
  viewport: number;
}

const SHOT_STATUSES = ["unchanged", "changed", "new", "removed", "failed"] as const;
export type ShotStatus = (typeof SHOT_STATUSES)[number];

/** Where a baseline came from. */
const baselineFactsSchema = z.object({
  /** Name of its file in the folder of the baselines. */
  file: z.string(),
  /** SHA-256 of that file, hex. */
  hash: z.string(),
  /** px; null before the file is opened. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** As `chromium 153.0.8010.0` and `linux x64`; null where the manifest does not say. */
  browser: z.string().nullable(),
  platform: z.string().nullable(),
});

const path = z.string().nullable();

/** A code of `CaptureError`, or `unreadable_baseline`. */
const failureSchema = z.object({
  code: z.custom<CaptureFailure | "unreadable_baseline">(value => typeof value === "string"),
  message: z.string(),
});

const region = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const checkedShotSchema = z.object({
  route: z.string(),
  viewport: z.number(),
  status: z.enum(SHOT_STATUSES),
  /** px; null where nothing was captured. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** Share of the pixels that differ, 0–1; null where there was nothing to compare. */
  diffRatio: z.number().nullable(),
  diffPixels: z.number().nullable(),
  /** Whether it is a minor change: unchanged, as it is within the threshold, and `diffPixels` above 0. */
  minor: z.boolean().default(false),
  /** Share that may differ for this route. */
  threshold: z.number(),
  /** Where it changed outside of ignore regions, px. */
  regions: z.array(region),
  /** The ignore regions of the page, px, and the changed pixels that they hid. */
  ignored: z
    .object({ pixels: z.number(), regions: z.array(region.extend({ pixels: z.number() })) })
    .default({ pixels: 0, regions: [] }),
  /** Equal fingerprints are one and the same change. */
  fingerprint: z.string().nullable(),
  /** Paths of PNG files, absolute; null where there is none. */
  files: z.object({ current: path, baseline: path, diff: path }),
  /** SHA-256 of the capture's PNG, hex. */
  hash: z.string().nullable(),
  /** What it was compared with; null where there is no baseline. */
  baseline: baselineFactsSchema.nullable(),
  /** Of a new one: the removed route that had these very pixels at this width, which `vrs approve` renames. */
  renamedFrom: z.string().nullable(),
  /** Of a changed one: the baseline is another browser's or system's, so that text alone may make the difference. */
  otherBrowser: z.boolean(),
  stable: z.boolean(),
  /** What kept moving, when not stable. */
  moving: z.array(z.string()),
  /** Takes made. */
  attempts: z.number(),
  /** As `chromium 153.0.8010.0`. */
  browser: z.string().nullable(),
  /** Milliseconds by step. */
  timings: z.record(z.string(), z.number()),
  /** Why it failed, in words its user can act on. */
  error: failureSchema.nullable(),
  /** Said beside it, such as that the page was cut or the baseline is another browser's. */
  notes: z.array(z.string()),
});

/** One screenshot of a check, as the JSON says it and every reporter and plugin sees it. */
export type CheckedShot = z.infer<typeof checkedShotSchema>;

export type CheckConclusion = "passed" | "changed" | "failed";

export const checkResultSchema = z.object({
  /** Version of this shape. */
  version: z.literal(1),
  /** Version of vrs. */
  vrs: z.string(),
  baseUrl: z.string(),
  /** Where the baselines are from: the folder's own files, or a branch or commit of the repository. */
  baseline: z.object({ directory: z.string(), ref: z.string().nullable() }),
  /** What was checked: the configuration's file, a hash of what it says, and the commit that was checked out. */
  source: z.object({ config: z.string(), configHash: z.string(), commit: z.string().nullable() }),
  /** As `chromium 153.0.8010.0`, and the operating system, as `linux x64`. */
  browser: z.string().nullable(),
  platform: z.string(),
  startedAt: z.string(),
  durationMs: z.number(),
  /**
   * `failed`: a screenshot could not be taken or compared, which no approval mends; else `changed`: something is changed,
   * new or removed; else `passed`.
   */
  conclusion: z.enum(["passed", "changed", "failed"]),
  counts: z.object({
    /** Within the threshold; minor changes are among them. */
    unchanged: z.number(),
    /** Unchanged ones with changed pixels; they are counted in `unchanged` too. */
    minor: z.number().default(0),
    changed: z.number(),
    new: z.number(),
    removed: z.number(),
    failed: z.number(),
  }),
  /** In the order of the configuration, removed ones last. */
  screenshots: z.array(checkedShotSchema),
  /** Said once of the whole, such as that the baselines are another browser's or system's. */
  warnings: z.array(z.string()),
  /** Absolute path of the HTML report; null when none was asked for. */
  report: path,
});

/** What a check found: the body of `vrs check --json`, and of `result.json` beside the report. */
export type CheckResult = z.infer<typeof checkResultSchema>;

/** What a check tells while it runs. */
export type CheckEvent =
  | { type: "planned"; shots: Shot[] }
  | { type: "warning"; message: string }
  | { type: "started"; route: string }
  | { type: "done"; shot: CheckedShot }
  | { type: "completed"; result: CheckResult };
