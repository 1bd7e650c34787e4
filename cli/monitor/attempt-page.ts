import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import { joinRegions, type SelectorRegions } from "../../shared/contracts/capture/ignore-region.ts";
import type { CaptureEngine } from "../check/capture-engine.ts";
import type { Logins } from "../check/read-logins.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";
import type { MonitorVisit } from "./monitor-plan.ts";

/** A visit to a page, and the baselines of its screenshots. */
export interface PageRequest {
  visit: MonitorVisit;
  logins: Logins;
  /** The states to capture. */
  states: { state: string | null; baseline: BaselineImage | null }[];
  /** Whether it confirms an earlier attempt. It then runs in a fresh browser context. */
  isConfirmation: boolean;
}

/** The image that a page is compared with. */
export interface BaselineImage {
  /** SHA-256 in hex. Null if unknown. */
  hash: string | null;
  /** Where the elements of ignore regions are in it; absent if unknown. */
  selectorRegions?: readonly SelectorRegions[] | undefined;
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

/**
 * Captures the states of a page and compares each with its baseline. Returns the attempts in the order of the states.
 * @throws the signal's reason, CommandError `no_browser`
 */
export async function attemptPage(
  engine: CaptureEngine,
  { visit, logins, states, isConfirmation }: PageRequest,
  signal: AbortSignal,
): Promise<Attempt[]> {
  const { url, site, viewport, height, settings: environment, options, ignoreSelectors } = visit;
  const page = { url, site, viewport, height, environment, options, ignoreSelectors };
  const hashes = states.map(({ state, baseline }) => ({ state, baselineHash: baseline?.hash ?? null }));
  const { secrets, files, hars } = logins;
  const request = {
    ...page,
    ...logins.of(options),
    secrets,
    files,
    hars,
    states: hashes,
    isFresh: isConfirmation,
  };
  const captures = await engine.capture(request, signal);
  if (captures === null) throw signal.reason;
  const attempts: Attempt[] = [];
  for (const [index, captured] of captures.entries())
    attempts.push(await compareCapture(engine, visit, captured, states[index]?.baseline ?? null, signal));
  return attempts;
}

async function compareCapture(
  engine: CaptureEngine,
  { colorThreshold, ignoreRegions }: MonitorVisit,
  captured: Capture | CaptureError,
  baseline: BaselineImage | null,
  signal: AbortSignal,
): Promise<Attempt> {
  if (captured instanceof CaptureError)
    return { reason: captured.message, isPageFailure: captured.code !== "browser_lost" };
  if (baseline === null) return { capture: captured, comparison: null };
  const { selectorRegions: before = [] } = baseline;
  const regions = joinRegions(ignoreRegions, captured.selectorRegions, before);
  const image = { capture: baseline.hash, width: null, height: null, read: baseline.read };
  try {
    const comparison = await engine.compare(image, captured, {
      ...{ colorThreshold, ignoreRegions: regions, signal },
    });
    return { capture: captured, comparison };
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    const reason = message.replace(/[^.]$/, "$&.");
    return { reason: MONITOR_NOTES.unreadable(reason), isPageFailure: false };
  }
}
