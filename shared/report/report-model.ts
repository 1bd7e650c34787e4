import type { IgnoredRegion, Region } from "../compare/comparison.ts";
import type { Diagnostics } from "../contracts/capture/diagnostics.ts";
import type { ScreenshotKey } from "../contracts/capture/screenshot-key.ts";
import type { ProductionView } from "../contracts/comparisons/production.ts";
import type { CarriedView, ReviewStateView, ReviewView } from "../contracts/reviews/review-view.ts";
import type { Explanation, RunCause } from "../contracts/runs/explanation.ts";
import type { ShownProof } from "../contracts/runs/proof.ts";
import type { RunWarning } from "../contracts/runs/run-warning.ts";
import type { Conclusion, RunKind, RunStatus } from "../contracts/runs/runs.ts";
import type { ScreenshotStatus } from "../contracts/runs/screenshots.ts";
import type { StoryView } from "../contracts/runs/stories.ts";

/** A screenshot in a report. Images are URLs: links, or `data:` URLs in a saved report. */
export interface ReportScreenshot extends ScreenshotKey {
  /** Story that the page is. */
  story?: StoryView | undefined;
  id: string;
  status: ScreenshotStatus;
  /** px; null without a capture. */
  width: number | null;
  height: number | null;
  diffRatio: number | null;
  diffPixels: number | null;
  /** Pixels that differ by less than the color threshold; absent or 0 if none do, or if others changed. */
  faintPixels?: number | undefined;
  /** Whether pixels differ within the threshold. The status is `unchanged` then. */
  minor: boolean;
  regions: Region[];
  /** The page's ignore regions, and their hidden changed pixels; absent without ignore regions. */
  ignored?: { pixels: number; regions: IgnoredRegion[] };
  /** Ratio of noise in the page's recent captures, 0–1; absent if unknown. */
  flakeScore?: number;
  /** Equal fingerprints mean identical changes. */
  fingerprint: string | null;
  baseline: { runId: string; reason: string; width: number; height: number } | null;
  images: {
    current: string | null;
    baseline: string | null;
    diff: string | null;
    /** The changed part of all three images in one image; absent outside of a service. */
    change?: string | null;
    /** The page when its step or its login failed; absent or null for other failures. */
    failure?: string | null;
  };
  stable: boolean;
  /** Moving elements, if not stable. */
  moving: string[];
  attempts: number;
  browser: string | null;
  /** The failure, in words that the user can act on. */
  error: string | null;
  /** Remarks, such as that a page was cut at 20,000 px, or that the baseline is from another browser. */
  notes: string[];
  /** Why it differs from the baseline; null or absent if that is unknown. */
  explanation?: Explanation | null;
  /** Whether it differs as the run was meant to; null or absent if the run has no intent, or nothing differs. */
  intended?: boolean | null | undefined;
  /** Since when production has the change; null or absent if it doesn't, or if that is unknown. */
  production?: ProductionView | null;
  /** The proof of its cause, if one was started. */
  proof?: ShownProof | null;
  /** What went wrong in the page; null or absent if nothing, or if that is unknown. */
  diagnostics?: Diagnostics | null;
  /** The combined state of the reviews, and each of them. */
  review: ReviewStateView | null;
  reviews: ReviewView[];
  /** The earlier approval of the same change that applies here too. */
  carried: CarriedView | null;
}

/** All data of an HTML report. */
export interface ReportModel {
  run: {
    /** Null without a service. */
    id: string | null;
    /** Absent without a service. */
    kind?: RunKind;
    /** The program and its version, if the report isn't from a service. */
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
    /** Absent without a service. */
    warnings?: RunWarning[];
    /** Causes of several changes; absent if unknown. */
    causes?: RunCause[];
  };
  screenshots: ReportScreenshot[];
  /** URL that returns this report as one file with its images; null in the file itself. */
  downloadUrl: string | null;
}
