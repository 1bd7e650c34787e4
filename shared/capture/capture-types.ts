import type { Page } from "playwright";
import type { Region } from "../compare/comparison.ts";
import type { CaptureOptions } from "../contracts/capture/capture-options.ts";
import type { Diagnostics } from "../contracts/capture/diagnostics.ts";
import type { Environment } from "../contracts/capture/environment.ts";
import type { IgnoreSelector, SelectorRegions } from "../contracts/capture/ignore-region.ts";
import type { Session, StorageState } from "../contracts/capture/sessions.ts";
import type { StepResult } from "../contracts/capture/step-result.ts";
import type { ArchiveSite } from "./archive/archive-site.ts";
import type { KeptBody } from "./capsule/page-responses.ts";
import type { CaptureFailure } from "./capture-failure.ts";
import type { HarRecorder } from "./network/har/har-recorder.ts";
import type { HarReplay } from "./network/har/har-replay.ts";
import type { FindReplacement } from "./network/rules/replace-responses.ts";
import type { StoryRequest } from "./story/story-request.ts";
import { PAGE_ERRORS } from "./texts.ts";
import type { SiteTunnel } from "./tunnel/site-tunnel.ts";

/** The content of files that network rules name, by the path in the rule. */
export type RuleFiles = ReadonlyMap<string, { content: Buffer; contentType: string }>;

/** The HAR files that network rules name, by the path in the rule. */
export type HarFiles = ReadonlyMap<string, HarReplay | HarRecorder>;

/** Code of a plugin that acts on a page. */
export interface PageCode {
  /** Its name in texts, such as `The plugin "mine" (onPage for /cart at 400 px)`. */
  name: string;
  run(page: Page): Promise<void>;
}

/** Which screenshots get a capsule: those that differ from their baselines, or all. */
export type CapsuleChoice = "changed" | "all";

/** One screenshot to capture. */
export interface CaptureRequest {
  /** Absolute http(s) URL of the page. */
  url: string;
  /** URL of the site, to which the paths of steps and of the session belong. Default: the origin of `url`. */
  site?: string;
  /** Viewport width, px. */
  viewport: number;
  /** Viewport height, px. Default: 800. */
  height?: number;
  /** Browser options. */
  environment?: Environment;
  /** The login that `options.session` names. */
  session?: Session;
  /** Content of the file that the session's `storageState` names. Only the command line has such files. */
  storageState?: StorageState;
  /** The files that network rules name, by the path in the rule. Only the command line has such files. */
  files?: RuleFiles;
  /** Tunnel to the local application, whose host and port `site` has. Only the service has tunnels. */
  tunnel?: SiteTunnel;
  /** Archive that the service serves at `site`. Pages reach nothing else unless it allows it. */
  archive?: ArchiveSite;
  /** The HAR files that network rules name, by the path in the rule, to replay or to record. */
  hars?: HarFiles;
  /** Code that runs in each load before the steps of the page. Only the command line has such code. */
  pageCode?: readonly PageCode[];
  /** Code that runs before the steps of the session's login. Only the command line has such code. */
  loginCode?: readonly PageCode[];
  /** Values of the secrets that the options and the session refer to, by name. */
  secrets?: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of the baseline's PNG. Equal bytes prove that the page is stable at the first attempt. */
  baselineHash: string | null;
  options: CaptureOptions;
  /** Which screenshots get a capsule. Default: none. */
  capsules?: CapsuleChoice;
  /** Reads the packed capsule of the baseline, to find the sources of changed rules. */
  baselineCapsule?: () => Promise<Buffer>;
  /** Whether the bodies of responses are kept with the capsule. */
  keepsBodies?: boolean;
  /** Replaces responses of the page, to prove a cause. */
  replace?: FindReplacement;
  /** Elements whose areas the capture finds, for the comparison. */
  ignoreSelectors?: readonly IgnoreSelector[];
  /** The story of a Storybook that the page is. */
  story?: StoryRequest | undefined;
  /** Whether the page gets a new context, without anything that earlier pages left, including the HTTP cache. */
  isFresh?: boolean;
}

/** A state to capture. */
export type VisitState = { state: string | null } & Pick<
  CaptureRequest,
  "baselineHash" | "capsules" | "baselineCapsule"
>;

/** One visit to a page. It captures one screenshot per state. */
export interface VisitRequest extends Omit<CaptureRequest, "baselineHash" | "capsules" | "baselineCapsule"> {
  /** The states that the options' steps capture (see `statesOf`), in order, or some of them. Null is the page's own. */
  states: VisitState[];
  /** Whether captures name the URLs that the page requested. Those of stories do anyway. */
  recordsRequests?: boolean;
}

/** A captured screenshot. */
export interface Capture {
  png: Buffer;
  /** SHA-256 of `png`, hex. */
  hash: string;
  /** px. */
  width: number;
  height: number;
  /** Whether two loads in a row looked the same, or one equaled the baseline. */
  stable: boolean;
  /** Number of screenshots that were captured. */
  attempts: number;
  /** Elements that differed between loads of an unstable page, as `selector (what)`, most changed first, at most 5. */
  moving: string[];
  /**
   * Where attempts differed from each other, px, largest first, at most 10. A page that became stable can have some
   * too.
   */
  movingRegions: Region[];
  /** Resources that failed to load, as `/app.css (404)`, at most 5, then how many more. */
  missing: string[];
  /** Where the elements of the request's `ignoreSelectors` are, one for each. */
  selectorRegions: SelectorRegions[];
  /** What went wrong in the page until the screenshot; null if nothing. */
  diagnostics: Diagnostics | null;
  /** Steps that ran before the screenshot, in the load that it shows. */
  steps: StepResult[];
  /** The packed capsule that explains the image. Absent if none was made. */
  capsule?: Buffer;
  /** Bodies of responses that the capsule refers to, and those of them that must be stored. */
  bodies?: { kept: KeptBody[]; unstored: Buffer[] };
  /** Height of the page before it was cut at the limit, px; null when it was not cut. */
  cutFromHeight: number | null;
  /** For example `chromium 153.0.8010.0`. */
  browser: string;
  /**
   * The URLs that the page has requested, if they were recorded and not too many. A page that earlier stories share has
   * requested more.
   */
  requested?: string[];
  /** Milliseconds by step. */
  timings: Record<string, number>;
}

/**
 * Whether browsers run in Chromium's sandbox. `refused` means that it can't be built and that pages may not be rendered
 * without it. `unknown` applies before the first browser.
 */
export type SandboxState = "unknown" | "on" | "off" | "refused";

/** No browser starts on this machine. The message may name files of the machine, so only operators may read it. */
export class NoBrowserError extends Error {
  constructor(cause: unknown) {
    super(PAGE_ERRORS.noBrowser(cause instanceof Error ? cause.message : String(cause)), {
      cause,
    });
    this.name = "NoBrowserError";
  }
}

/** PNG of a page at its failure, and its SHA-256 as hex. */
export interface FailureScreenshot {
  png: Buffer;
  hash: string;
}

/** A page that could not be captured. The message tells its user what to do. */
export class CaptureError extends Error {
  readonly code: CaptureFailure;
  /** Whether a retry may help, because the browser disconnected and the page is not the cause. */
  readonly retryable: boolean;
  /** What went wrong in the page before; null if nothing, or if that is unknown. */
  diagnostics: Diagnostics | null = null;
  /** The page when its step or its login failed; null after other failures, or if it did not respond. */
  screenshot: FailureScreenshot | null = null;
  /** Steps that ran before. The last one failed, if a step was the cause. */
  steps: StepResult[] = [];

  constructor(code: CaptureFailure, message: string, retryable = false) {
    super(message);
    this.name = "CaptureError";
    this.code = code;
    this.retryable = retryable;
  }
}
