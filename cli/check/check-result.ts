import type { CaptureFailure } from "../../shared/capture/capture-types.ts";
import type { Region } from "../../shared/compare/comparison.ts";

/** A route and a width in px: what has one baseline. */
export interface Shot {
  route: string;
  viewport: number;
}

export type ShotStatus = "unchanged" | "changed" | "new" | "removed" | "failed";

/** One screenshot of a check, as the JSON says it and every reporter and plugin sees it. */
export interface CheckedShot extends Shot {
  status: ShotStatus;
  /** px; null where nothing was captured. */
  width: number | null;
  height: number | null;
  /** Share of the pixels that differ, 0–1; null where there was nothing to compare. */
  diffRatio: number | null;
  diffPixels: number | null;
  /** Share that may differ for this route. */
  threshold: number;
  regions: Region[];
  /** Equal fingerprints are one and the same change. */
  fingerprint: string | null;
  /** Paths of PNG files, absolute; null where there is none. */
  files: { current: string | null; baseline: string | null; diff: string | null };
  /** SHA-256 of the current PNG, hex. */
  hash: string | null;
  stable: boolean;
  /** What kept moving, when not stable. */
  moving: string[];
  /** Takes made. */
  attempts: number;
  /** As `chromium 153.0.8010.0`. */
  browser: string | null;
  /** Milliseconds by step. */
  timings: Record<string, number>;
  /** Why it failed, in words its user can act on. */
  error: { code: CaptureFailure | "unreadable_baseline"; message: string } | null;
  /** Said beside it, such as that the page was cut or the baseline is another browser's. */
  notes: string[];
}

export type CheckConclusion = "passed" | "changed" | "failed";

/** What a check found: the body of `vrs check --json`, and of `result.json` beside the report. */
export interface CheckResult {
  /** Version of this shape. */
  version: 1;
  /** Version of vrs. */
  vrs: string;
  baseUrl: string;
  /** Where the baselines are from: the folder's own files, or a branch or commit of the repository. */
  baseline: { directory: string; ref: string | null };
  /** As `chromium 153.0.8010.0`, and the operating system, as `linux x64`. */
  browser: string | null;
  platform: string;
  startedAt: string;
  durationMs: number;
  conclusion: CheckConclusion;
  counts: Record<ShotStatus, number>;
  /** In the order of the configuration, removed ones last. */
  screenshots: CheckedShot[];
  /** Said once of the whole, such as that the baselines are another browser's or system's. */
  warnings: string[];
  /** Absolute path of the HTML report; null when none was asked for. */
  report: string | null;
}

/** What a check tells while it runs. */
export type CheckEvent =
  | { type: "planned"; shots: Shot[] }
  | { type: "warning"; message: string }
  | { type: "started"; route: string }
  | { type: "done"; shot: CheckedShot }
  | { type: "completed"; result: CheckResult };
