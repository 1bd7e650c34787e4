import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../shared/contracts/runs/capture-options.ts";
import type { CaptureEngine, CompareOptions } from "../check/capture-engine.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";

/** A page at a width, and its baseline. */
export interface PageRequest extends CompareOptions {
  url: string;
  viewport: number;
  options: CaptureOptions;
  baseline: BaselineImage | null;
  /** Whether it confirms an earlier attempt. It then runs in a fresh browser context. */
  isConfirmation: boolean;
}

/** The image that a page is compared with. */
export interface BaselineImage {
  /** SHA-256 in hex. Null if unknown. */
  hash: string | null;
  /** Reads the bytes of a PNG. @throws Error with the reason if they can't be read */
  read(): Promise<Buffer>;
}

/** Why an attempt has no result. */
export interface FailedAttempt {
  reason: string;
  /** Whether the page caused the failure, and not this machine. */
  isPageFailure: boolean;
}

/** The result of one attempt, or why it failed. `comparison` is null without a baseline. */
export type Attempt = { capture: Capture; comparison: Comparison | null } | FailedAttempt;

/** Captures a page and compares it with its baseline. @throws the signal's reason, CommandError `no_browser` */
export async function attemptPage(
  engine: CaptureEngine,
  { url, viewport, options, baseline, colorThreshold, ignoreRegions, isConfirmation }: PageRequest,
  signal: AbortSignal,
): Promise<Attempt> {
  const baselineHash = baseline?.hash ?? null;
  const states = [{ state: null, baselineHash }];
  const request = { url, viewport, states, options, isFresh: isConfirmation };
  const [captured] = (await engine.capture(request, signal)) ?? [];
  if (captured === undefined) throw signal.reason;
  if (captured instanceof CaptureError)
    return { reason: captured.message, isPageFailure: captured.code !== "browser_lost" };
  if (baseline === null) return { capture: captured, comparison: null };
  const image = { capture: baseline.hash, width: null, height: null, read: baseline.read };
  try {
    const comparison = await engine.compare(image, captured, { colorThreshold, ignoreRegions, signal });
    return { capture: captured, comparison };
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    const reason = message.replace(/[^.]$/, "$&.");
    return { reason: MONITOR_NOTES.unreadable(reason), isPageFailure: false };
  }
}
