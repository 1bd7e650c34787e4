import type { Region } from "../compare/comparison.ts";
import type { CaptureOptions } from "../contracts/runs/capture-options.ts";
import type { CaptureFailure } from "./capture-failure.ts";
import { PAGE_ERRORS } from "./texts.ts";

/** One screenshot to take. */
export interface CaptureRequest {
  /** Absolute http(s) URL of the page. */
  url: string;
  /** Viewport width, px. */
  viewport: number;
  /** SHA-256 (hex) of the baseline's PNG: equal bytes prove the page stable at the first take. */
  baselineHash: string | null;
  options: CaptureOptions;
  /** Whether it gets a context of its own: nothing that earlier pages left, an HTTP cache included, may show in it. */
  isFresh?: boolean;
}

/** A screenshot taken. */
export interface Capture {
  png: Buffer;
  /** SHA-256 of `png`, hex. */
  hash: string;
  /** px. */
  width: number;
  height: number;
  /** True when two loads in a row looked the same, or one equaled the baseline. */
  stable: boolean;
  /** Screenshots taken. */
  attempts: number;
  /** When not stable: what differed between loads, as `selector (what)`, most changed first, at most 5. */
  moving: string[];
  /** Where takes differed from each other, px, largest first, at most 10; also of a page that was stable in the end. */
  movingRegions: Region[];
  /** What the page asked for and did not get, as `/app.css (404)`, at most 5, then how many more. */
  missing: string[];
  /** Height of the page before it was cut at the bound, px; null when it was not cut. */
  cutFromHeight: number | null;
  /** As `chromium 153.0.8010.0`. */
  browser: string;
  /** Milliseconds by step. */
  timings: Record<string, number>;
}

/**
 * Whether browsers run in Chromium's sandbox. `refused` is where it can't be built and pages may not be rendered
 * without, `unknown` before the first browser.
 */
export type SandboxState = "unknown" | "on" | "off" | "refused";

/** No browser starts on this machine. Its message, which may name files of the machine, is for the operator only. */
export class NoBrowserError extends Error {
  constructor(cause: unknown) {
    super(PAGE_ERRORS.noBrowser(cause instanceof Error ? cause.message : String(cause)), {
      cause,
    });
    this.name = "NoBrowserError";
  }
}

/** A page that could not be captured; the message tells its user what to do about it. */
export class CaptureError extends Error {
  readonly code: CaptureFailure;
  /** True when the page is not to blame (the browser went away under it), so that trying again may help. */
  readonly retryable: boolean;

  constructor(code: CaptureFailure, message: string, retryable = false) {
    super(message);
    this.name = "CaptureError";
    this.code = code;
    this.retryable = retryable;
  }
}
