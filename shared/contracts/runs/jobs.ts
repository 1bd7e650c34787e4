import type { KeptBody } from "../../capture/capsule/page-responses.ts";
import type { Capture } from "../../capture/capture-types.ts";
import type { Comparison, IgnoredRegion, Region } from "../../compare/comparison.ts";
import type { CaptureOptions } from "../capture/capture-options.ts";
import type { Diagnostics } from "../capture/diagnostics.ts";
import type { Environment } from "../capture/environment.ts";
import type { AppliedRegion, IgnoreSelector, SelectorRegions } from "../capture/ignore-region.ts";
import type { Session } from "../capture/sessions.ts";
import type { StepResult } from "../capture/step-result.ts";
import type { Viewport } from "../capture/viewport.ts";
import type { Explanation } from "./explanation.ts";
import type { ProofResult, ProofTask } from "./proof.ts";
import type { StoredStory } from "./stories.ts";

/**
 * Job to capture one route of a run in one environment, in all its viewports and states, or to list the stories of a
 * run, without any screenshot.
 */
export interface CaptureJob {
  runId: string;
  teamId: string;
  /** Absolute URL of the page. */
  url: string;
  /** URL of the site, to which the paths of steps and of the session belong. Absent in jobs from before it existed. */
  site?: string;
  options: CaptureOptions;
  /** Browser options. Absent for the default environment. */
  environment?: Environment;
  /** The login that `options.session` names. */
  session?: Session;
  /** Key of the tunnel to the local application at `site`. */
  tunnel?: string;
  /** The archive that is served at `site`. */
  archive?: string;
  /** Hosts that the pages of the archive may reach besides it. */
  allowHosts?: string[];
  /** Values of the secrets that the options and the session refer to, by name. */
  secrets?: Record<string, string>;
  /** The story of a Storybook that the page is. */
  story?: StoredStory;
  /** Set if the job lists the stories of the Storybook at `site`. */
  listing?: StoryListing;
  /** Set if the bodies of responses are kept. */
  keepsBodies?: true;
  /** Set if the cause of the job's only screenshot is to be proved. */
  proof?: ProofTask;
  /** Set if nothing that an earlier page left may show, including its HTTP cache. */
  isFresh?: true;
  /** Region whose renderers take the job. Absent if any renderer does. */
  region?: string;
  /** Rendering fingerprint of the browsers that the run uses in the region. Null until it is fixed. */
  rendering: string | null;
  /** In the order in which the page's steps capture them. */
  screenshots: JobScreenshot[];
}

/** How the stories of a run are listed. */
interface StoryListing {
  /** Tags that stories must have, or with `!` must not have. */
  tags: readonly string[];
  /** Viewports of stories without their own. */
  viewports: readonly Viewport[];
  /** Set if unchanged stories are skipped, so that the list has the files of the archive. */
  onlyChanged?: true;
  /** Token for the result. */
  token: string;
}

/** One screenshot of a capture job. */
export interface JobScreenshot {
  id: string;
  /** State that a step captures. Absent for the page's own screenshot. */
  state?: string;
  /** Viewport width, px. */
  viewport: number;
  /** Viewport height, px. Absent for the default. */
  height?: number;
  baselineHash: string | null;
  /** Set if the baseline has no capsule, so that an unchanged screenshot gets one too. */
  needsCapsule?: true;
  /** Hash of the baseline's capsule. Absent if it has none. */
  baselineCapsule?: string;
  /** Elements whose areas the capture finds. Absent if there are none. */
  ignoreSelectors?: IgnoreSelector[];
  /** Token for its result. */
  token: string;
}

/** Job to compare a screenshot with its baseline. Both are in the image store. */
export interface CompareJob {
  runId: string;
  screenshotId: string;
  baselineHash: string;
  currentHash: string;
  /** Difference below which two colors count as equal, 0–1. Absent in jobs from before it was a setting. */
  colorThreshold?: number;
  /** Regions in which changed pixels don't count. Absent in jobs from before they existed. */
  ignoreRegions?: AppliedRegion[];
  /** Hashes of the capsules that explain the two images. Absent if one has none. */
  capsules?: { baseline: string; current: string };
  /** Token for the result. */
  token: string;
}

/** Two stored images to compare at once, with what their comparison depends on. */
export interface ComparedPair {
  baselineHash: string;
  currentHash: string;
  colorThreshold: number;
  ignoreRegions: AppliedRegion[];
}

/** The result of a comparison. The mask is in the store under its hash. */
export interface PairComparison extends Omit<Comparison, "mask" | "width" | "height" | "faintPixels"> {
  /** Absent in results from before it existed. */
  faintPixels?: number;
  maskHash: string | null;
}

/** A screenshot as its renderer reports it. The image is in the store under its hash. */
export interface CapturedScreenshot
  extends Omit<
    Capture,
    | "png"
    | "capsule"
    | "bodies"
    | "browser"
    | "timings"
    | "missing"
    | "movingRegions"
    | "diagnostics"
    | "steps"
    | "selectorRegions"
    | "requested"
  > {
  runId: string;
  screenshotId: string;
  /** Null for an uploaded screenshot of an unknown browser. */
  browser: string | null;
  /** Absent in results from before it existed. */
  missing?: string[];
  /** Absent in results from before it existed. */
  movingRegions?: Region[];
  /** Absent in results from before it existed. */
  diagnostics?: Diagnostics | null;
  /** Absent in results from before it existed. */
  selectorRegions?: SelectorRegions[];
  /** Absent in results from before it existed. */
  steps?: StepResult[];
  /** Hash of the stored capsule. Absent if none was made. */
  capsuleHash?: string;
  /** Bodies of responses that the capsule refers to. */
  bodies?: KeptBody[];
  /**
   * Paths in the archive that the page of a story loaded. Absent if it loaded something else too, or if the run doesn't
   * skip stories.
   */
  loaded?: string[];
  /** How long the screenshot held its slot, in ms. Absent in results from before slots were shared by time. */
  heldMs?: number;
  timings: Record<string, number>;
  /** Rendering fingerprint of the browser that captured it. */
  rendering: string | null;
}

/** A comparison as its differ reports it. The mask is in the store under its hash. */
export interface ComparedScreenshot
  extends Omit<Comparison, "mask" | "width" | "height" | "ignored" | "faintPixels"> {
  runId: string;
  screenshotId: string;
  /** The compared hashes. A result for other hashes is stale. */
  baselineHash: string;
  currentHash: string;
  maskHash: string | null;
  /** Absent in results from before it existed. */
  faintPixels?: number;
  /** Why the images differ. Absent if unknown. */
  explanation?: Explanation;
  /** Absent in results from before it existed. */
  ignored?: IgnoredRegion[];
}

export const BLAMES = ["page", "service"] as const;
export type Blame = (typeof BLAMES)[number];

/** A failed capture or comparison, with the reason for users. It doesn't affect an earlier capture. */
export interface FailedScreenshot {
  runId: string;
  screenshotId: string;
  stage: "capture" | "compare";
  reason: string;
  /** Cause of the failure: the page, which its owner can fix, or the service. Absent for the service. */
  blame?: Blame;
  /** Steps that ran before. Absent for comparisons, and if unknown. */
  steps?: StepResult[];
  /** What went wrong in the page before. Absent in results from before it existed, and for failures of the service. */
  diagnostics?: Diagnostics | null;
  /** Image of the page at its failed step or login, in the store. Absent if there is none. */
  failureHash?: string;
  /** How long the screenshot held its slot, in ms. Absent if unknown. */
  heldMs?: number;
}

/** The start of a run on a node, at its first screenshot there. */
interface StartedRun {
  runId: string;
  screenshotId: string;
}

/** The listed stories of a run. */
export interface ListedStories {
  runId: string;
  /** The result is of no screenshot. */
  screenshotId: "";
  /** SHA-256 of the stored list, or why there is none, for users. */
  outcome: { hash: string } | { reason: string };
}

/** A proof as its renderer reports it. */
export interface ProvedScreenshot extends ProofResult {
  runId: string;
  screenshotId: string;
}

/** A result to store: the start of a run, or the outcome of a screenshot's job. */
export type Result =
  | ({ kind: "started" } & StartedRun)
  | ({ kind: "captured" } & CapturedScreenshot)
  | ({ kind: "compared" } & ComparedScreenshot)
  | ({ kind: "listed" } & ListedStories)
  | ({ kind: "failed" } & FailedScreenshot)
  | ({ kind: "proved" } & ProvedScreenshot);

/**
 * Job to store a result. It is a job and not an event, because it must not get lost while its reader is unreachable.
 * Workers also can't send events.
 */
export type ResultJob = Result & {
  /** The job's token. It proves that the worker had the job. */
  token: string;
};

/** All kinds of durable work. */
export interface Jobs {
  capture: CaptureJob;
  compare: CompareJob;
  result: ResultJob;
}

export type JobName = keyof Jobs;

export const JOB_NAMES = ["capture", "compare", "result"] as const satisfies JobName[];
