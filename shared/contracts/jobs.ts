import type { CaptureOptions } from "./capture-options.ts";

/** Render one route of a run in all its viewports. */
export interface CaptureJob {
  runId: string;
  teamId: string;
  /** Absolute URL of the page. */
  url: string;
  options: CaptureOptions;
  screenshots: { id: string; viewport: number; baselineHash: string | null }[];
}

/** Compare a screenshot with its baseline; both are in the image store. */
export interface CompareJob {
  runId: string;
  screenshotId: string;
  baselineHash: string;
  currentHash: string;
}

/** Every kind of durable work. */
export interface Jobs {
  capture: CaptureJob;
  compare: CompareJob;
}

export type JobName = keyof Jobs;
