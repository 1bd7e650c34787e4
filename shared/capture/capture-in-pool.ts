import type { BrowserPool } from "./browser/browser-pool.ts";
import { type Capture, CaptureError, type CaptureRequest, type VisitRequest } from "./capture-types.ts";
import { capture } from "./page/capture.ts";

/**
 * Maximum number of browsers for one screenshot. After a lost browser, the page gets a browser of its own, because the
 * neighboring page may be the cause or the next victim.
 */
const BROWSERS_PER_SCREENSHOT = 3;

/** A screenshot, and the id of how its browser draws; null in a pool that does not measure. */
export type PooledCapture = Capture & { rendering: string | null };

/**
 * Captures one screenshot in a pool context for this key. Returns the error of a page that can't be captured, and does
 * not throw it. Returns null when the signal aborts.
 * @throws NoBrowserError
 */
export async function captureInPool(
  browsers: BrowserPool,
  isolationKey: string,
  request: CaptureRequest,
  signal: AbortSignal,
): Promise<PooledCapture | CaptureError | null> {
  const { isFresh = false } = request;
  for (let browser = 1; ; browser++) {
    try {
      const lease = await browsers.lease(isolationKey, { alone: browser > 1, isFresh, signal });
      try {
        const captured = await capture(lease, request, signal);
        return { ...captured, rendering: await browsers.renderingOf(lease) };
      } finally {
        await lease.release();
      }
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof CaptureError)) throw error;
      if (!error.retryable || browser === BROWSERS_PER_SCREENSHOT) return error;
    }
  }
}

/**
 * Captures the screenshots of one visit. Returns a capture, or the error of a screenshot that can't be captured, for
 * each state in order. Returns null when the signal aborts.
 * @throws NoBrowserError
 */
export async function captureVisit(
  browsers: BrowserPool,
  isolationKey: string,
  { states, ...request }: VisitRequest,
  signal: AbortSignal,
): Promise<(PooledCapture | CaptureError)[] | null> {
  const captures: (PooledCapture | CaptureError)[] = [];
  for (const { baselineHash } of states) {
    const captured = await captureInPool(browsers, isolationKey, { ...request, baselineHash }, signal);
    if (captured === null) return null;
    captures.push(captured);
  }
  return captures;
}
