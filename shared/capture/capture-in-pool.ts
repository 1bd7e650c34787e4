import type { BrowserPool } from "./browser/browser-pool.ts";
import { type Capture, CaptureError, type CaptureRequest } from "./capture-types.ts";
import { capture } from "./page/capture.ts";

/** A page whose browser went away under it gets one of its own, so often: the page next to it may have been the cause, or be the next victim. */
const BROWSERS_PER_SCREENSHOT = 3;

/** A screenshot, and the id of how the browser that took it draws; null in a pool that does not measure. */
export type PooledCapture = Capture & { rendering: string | null };

/**
 * Captures one screenshot in a context of the pool's for this key. The error of a page that cannot be captured is given
 * back, not thrown; null when nobody wants the screenshot any more.
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
        const taken = await capture(lease, request, signal);
        return { ...taken, rendering: await browsers.renderingOf(lease) };
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
