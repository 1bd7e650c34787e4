import type { ReportModel } from "../../report/report-model.ts";
import type { Blame } from "./jobs.ts";
import type { ReviewState } from "./review-view.ts";
import type { Conclusion, RunStatus, ScreenshotStatus } from "./runs.ts";

const ENDED: ReadonlySet<RunStatus> = new Set(["completed", "failed", "canceled"]);

/** Returns whether a run captures and compares nothing more. */
export function isEnded(status: RunStatus): boolean {
  return ENDED.has(status);
}

/** What became of one screenshot, for services that watch runs. Images are hashes in the store. */
export interface ScreenshotOutcome {
  id: string;
  route: string;
  viewport: number;
  status: ScreenshotStatus;
  /** 0–1 of all pixels; null where nothing was compared. */
  diffRatio: number | null;
  error: string | null;
  /** Whose fault a failure is. */
  blame: Blame | null;
  /** What its reviews come to; null where there are none. */
  review: ReviewState | null;
  /**
   * Whether it looks different from what is its baseline no more, because a reviewer decided meanwhile. Only known of runs
   * that speak for the default branch.
   */
  isOutdated: boolean;
  /** Whether its baseline was captured by renderers that draw differently. */
  isOtherRenderer: boolean;
  images: { baseline: string | null; current: string | null; diff: string | null };
}

/** How far a run is, and what came of it. */
export interface RunOutcome {
  id: string;
  project: string;
  status: RunStatus;
  conclusion: Conclusion | null;
  /** Null until it has ended, and where the answer was too long for it: ask for this run again. */
  screenshots: ScreenshotOutcome[] | null;
}

/** A report in parts, so that no message on the bus grows with the run. */
export interface ReportPage extends Omit<ReportModel, "downloadUrl"> {
  nextCursor: string | null;
}
