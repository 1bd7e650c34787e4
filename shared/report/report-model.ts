import type { IgnoredRegion, Region } from "../compare/comparison.ts";
import type { CarriedView, ReviewStateView, ReviewView } from "../contracts/runs/review-view.ts";
import type { RunWarning } from "../contracts/runs/run-warning.ts";
import type { Conclusion, RunKind, RunStatus, ScreenshotStatus } from "../contracts/runs/runs.ts";

/** One screenshot in a report. Image values are URLs: links, or `data:` in a saved report. */
export interface ReportScreenshot {
  id: string;
  route: string;
  /** Viewport width, px. */
  viewport: number;
  status: ScreenshotStatus;
  /** px; null when nothing was captured. */
  width: number | null;
  height: number | null;
  diffRatio: number | null;
  diffPixels: number | null;
  /** Whether pixels changed, within the threshold; the status is `unchanged` then. */
  minor: boolean;
  regions: Region[];
  /** The ignore regions of the page, and the changed pixels that they hid; absent where there are none. */
  ignored?: { pixels: number; regions: IgnoredRegion[] };
  /** Share of the page's recent captures that were noise, 0–1; absent where that is not known. */
  flakeScore?: number;
  /** Equal fingerprints are one and the same change. */
  fingerprint: string | null;
  baseline: { runId: string; reason: string; width: number; height: number } | null;
  images: {
    current: string | null;
    baseline: string | null;
    diff: string | null;
    /** The changed part of all three in one picture; absent outside of a service. */
    change?: string | null;
  };
  stable: boolean;
  /** What kept moving, when not stable. */
  moving: string[];
  attempts: number;
  browser: string | null;
  /** Why it failed, in words its user can act on. */
  error: string | null;
  /** Said beside the screenshot, such as that a page was cut at 20,000 px or that the baseline is another browser's. */
  notes: string[];
  /** What its reviews come to, and each of them. */
  review: ReviewStateView | null;
  reviews: ReviewView[];
  /** The approval of the same change before that holds here too. */
  carried: CarriedView | null;
}

/** Everything that an HTML report shows. */
export interface ReportModel {
  run: {
    /** Null where it is none of a service's. */
    id: string | null;
    /** Absent where it is none of a service's. */
    kind?: RunKind;
    /** The program and its version, where that is no service. */
    madeWith?: string;
    project: string;
    url: string;
    branch: string | null;
    scm: { owner: string; repo: string; sha: string; pr: number | null } | null;
    status: RunStatus;
    conclusion: Conclusion | null;
    threshold: number;
    createdAt: string;
    completedAt: string | null;
    error: string | null;
    /** Absent where it is none of a service's. */
    warnings?: RunWarning[];
  };
  screenshots: ReportScreenshot[];
  /** Address that gives this report as one file with its images inside; null in the file itself. */
  downloadUrl: string | null;
}
