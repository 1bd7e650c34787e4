import type { RunStatus, ScreenshotStatus } from "./http.ts";
import type { Blame } from "./jobs.ts";

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
  images: { baseline: string | null; current: string | null; diff: string | null };
}

/** How far a run is, and what came of it. */
export interface RunOutcome {
  id: string;
  status: RunStatus;
  /** Null until it has ended, and where the answer was too long for it: ask for this run again. */
  screenshots: ScreenshotOutcome[] | null;
}
