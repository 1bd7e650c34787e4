import type { Capture } from "../../capture/capture-types.ts";
import type { Comparison, IgnoredRegion, Region } from "../../compare/comparison.ts";
import type { CaptureOptions } from "./capture-options.ts";

/** Render one route of a run in all its viewports. */
export interface CaptureJob {
  runId: string;
  teamId: string;
  /** Absolute URL of the page. */
  url: string;
  options: CaptureOptions;
  /** Set where nothing that an earlier page left, its HTTP cache included, may show in a screenshot. */
  isFresh?: true;
  /** The fingerprint of the browsers that the run is rendered with; null while that is not fixed. */
  rendering: string | null;
  /** Each with the token that goes with its result. */
  screenshots: { id: string; viewport: number; baselineHash: string | null; token: string }[];
}

/** Compare a screenshot with its baseline; both are in the image store. */
export interface CompareJob {
  runId: string;
  screenshotId: string;
  baselineHash: string;
  currentHash: string;
  /** How far apart two colours may be and still count as one, 0–1; absent in jobs from before it was a setting. */
  colorThreshold?: number;
  /** Changed pixels in these do not count; absent in jobs from before there were any. */
  ignoreRegions?: Region[];
  /** Goes with the result. */
  token: string;
}

/** A screenshot as its renderer tells of it: the image itself is in the store under its hash. */
export interface CapturedScreenshot extends Omit<Capture, "png" | "timings" | "missing" | "movingRegions"> {
  runId: string;
  screenshotId: string;
  /** Absent in what renderers told before there was such a thing. */
  missing?: string[];
  /** Absent in what renderers reported before there was such a thing. */
  movingRegions?: Region[];
  /** How long the screenshot held its slot, ms; absent in what renderers told before slots were shared by time. */
  heldMs?: number;
  timings: Record<string, number>;
  /** The fingerprint of the browser that captured it. */
  rendering: string | null;
}

/** A comparison as its differ tells of it: the mask is in the store under its hash. */
export interface ComparedScreenshot extends Omit<Comparison, "mask" | "width" | "height" | "ignored"> {
  runId: string;
  screenshotId: string;
  /** What was compared: a result for other hashes is stale. */
  baselineHash: string;
  currentHash: string;
  maskHash: string | null;
  /** Absent in what differs reported before there was such a thing. */
  ignored?: IgnoredRegion[];
}

export const BLAMES = ["page", "service"] as const;
export type Blame = (typeof BLAMES)[number];

/** Captured or compared it cannot be; the reason is for its user. A failed capture says nothing of one that came before. */
interface FailedScreenshot {
  runId: string;
  screenshotId: string;
  stage: "capture" | "compare";
  reason: string;
  /** Whose fault it is: the page's, which its owner can mend, or the service's own; the latter where it is absent. */
  blame?: Blame;
  /** How long the screenshot held its slot, ms; absent where that is not known. */
  heldMs?: number;
}

/** A screenshot, the first of its run on that node, is being rendered. */
interface StartedRun {
  runId: string;
  screenshotId: string;
}

/** What is written down: that a run has begun, or what became of a screenshot. */
export type Result =
  | ({ kind: "started" } & StartedRun)
  | ({ kind: "captured" } & CapturedScreenshot)
  | ({ kind: "compared" } & ComparedScreenshot)
  | ({ kind: "failed" } & FailedScreenshot);

/**
 * Write down that a run has begun, or what became of a screenshot. A job and not an event: it must outlive a moment
 * without its reader, and workers may send no events.
 */
export type ResultJob = Result & {
  /** The job's: it proves that the worker was given the job. */
  token: string;
};

/** Every kind of durable work. */
export interface Jobs {
  capture: CaptureJob;
  compare: CompareJob;
  result: ResultJob;
}

export type JobName = keyof Jobs;

export const JOB_NAMES = ["capture", "compare", "result"] as const satisfies JobName[];
