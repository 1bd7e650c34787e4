import type { ReportModel } from "../../report/report-model.ts";
import type { ScreenshotKey } from "../capture/screenshot-key.ts";
import type { ReviewState } from "../reviews/review-view.ts";
import type { Blame } from "./jobs.ts";
import type { Conclusion, RunStatus } from "./runs.ts";
import type { ScreenshotStatus } from "./screenshots.ts";

const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "canceled"]);

/** Returns whether a run captures and compares nothing more. */
export function isEnded(status: RunStatus): boolean {
  return ENDED.has(status);
}

/** The outcome of one screenshot, for services that watch runs. Images are hashes in the store. */
export interface ScreenshotOutcome extends ScreenshotKey {
  id: string;
  /** Region that captures it. Null for any. */
  region: string | null;
  /** Set if the region has no renderer now, so that another capture would only wait for one. */
  isRegionAway?: true;
  status: ScreenshotStatus;
  /** Share of changed pixels, 0–1. Null if nothing was compared. */
  diffRatio: number | null;
  /** Pixels with a slightly different color, if no others changed. Absent for none. */
  faintPixels?: number;
  error: string | null;
  /** Cause of a failure. */
  blame: Blame | null;
  /** State of its reviews. Null if there are none. */
  review: ReviewState | null;
  /**
   * Whether it differs from a baseline that is no longer current, because a reviewer decided in the meantime. Only
   * known for runs of the default branch.
   */
  isOutdated: boolean;
  /** Whether its baseline was captured by renderers that draw differently. */
  isOtherRenderer: boolean;
  /** The first cause of its difference, in words. Null if unknown. */
  cause: string | null;
  /** Time to the first byte of its document, ms. Null if unknown. */
  responseMs: number | null;
  images: { baseline: string | null; current: string | null; diff: string | null };
}

/** The progress of a run, and its outcome. */
export interface RunOutcome {
  id: string;
  project: string;
  status: RunStatus;
  conclusion: Conclusion | null;
  /** Null until the run ends, or if the response was too long for it. Request this run again then. */
  screenshots: ScreenshotOutcome[] | null;
}

/** One page of a report, so that messages on the bus don't grow with the run. */
export interface ReportPage extends Omit<ReportModel, "downloadUrl"> {
  nextCursor: string | null;
}
