import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../shared/contracts/runs/capture-options.ts";
import type { CaptureEngine, CompareOptions } from "../check/capture-engine.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";

/** A page at a width, and what it is compared with. */
export interface LookRequest extends CompareOptions {
  url: string;
  viewport: number;
  options: CaptureOptions;
  baseline: BaselineImage | null;
  /** Whether it confirms what an earlier look found: nothing that one left in the browser may show in it. */
  isConfirmation: boolean;
}

/** The image that a page is compared with. */
export interface BaselineImage {
  /** SHA-256, hex; null where it is not known. */
  hash: string | null;
  /** A PNG's bytes. @throws Error that says why they cannot be had */
  read(): Promise<Buffer>;
}

/** Why nothing was seen. */
export interface Unseen {
  why: string;
  /** Whether the page is to blame, and not this machine. */
  isPageFailure: boolean;
}

/** What was seen, `comparison` is null where there is no baseline; or why nothing was. */
export type Sight = { capture: Capture; comparison: Comparison | null } | Unseen;

/** Captures a page, and compares it with its baseline. @throws the signal's reason, CommandError `no_browser` */
export async function lookAt(
  engine: CaptureEngine,
  { url, viewport, options, baseline, colorThreshold, ignoreRegions, isConfirmation }: LookRequest,
  signal: AbortSignal,
): Promise<Sight> {
  const baselineHash = baseline?.hash ?? null;
  const request = { url, viewport, baselineHash, options, isFresh: isConfirmation };
  const captured = await engine.capture(request, signal);
  if (captured === null) throw signal.reason;
  if (captured instanceof CaptureError)
    return { why: captured.message, isPageFailure: captured.code !== "browser_lost" };
  if (baseline === null) return { capture: captured, comparison: null };
  const image = { capture: baseline.hash, width: null, height: null, read: baseline.read };
  try {
    const comparison = await engine.compare(image, captured, { colorThreshold, ignoreRegions, signal });
    return { capture: captured, comparison };
  } catch (error) {
    signal.throwIfAborted();
    const said = error instanceof Error ? error.message : String(error);
    const why = said.replace(/[^.]$/, "$&.");
    return { why: MONITOR_NOTES.unreadable(why), isPageFailure: false };
  }
}
