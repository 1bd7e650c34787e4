import type { CaptureFailure } from "./capture-failure.ts";
import { CaptureError } from "./capture-types.ts";
import type { Lease } from "./lease.ts";
import { thrownInPage } from "./load-failures.ts";

/** After these the page is whole, and may serve the next screenshot. */
const HARMLESS: ReadonlySet<CaptureFailure> = new Set([
  "http_status",
  "selector_missing",
  "selector_invalid",
]);

/**
 * Runs a screenshot's work until it ends, the time is over, the signal aborts, the page crashes or the browser goes
 * away, whichever is first. A page that may be harmed is not used again.
 * @throws CaptureError, or the signal's reason.
 */
export async function withinBounds<T>(
  lease: Lease,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { page, limits } = lease;
  const { browser } = lease.browser;
  const broken = Promise.withResolvers<never>();
  const onCrash = () => broken.reject(crashed(lease));
  const onLost = () => broken.reject(lost());
  const onMemory = () => broken.reject(overMemory(lease));
  const onAbort = () => broken.reject(signal?.reason);
  const timer = setTimeout(() => broken.reject(overtime(lease)), limits.captureMs);
  page.on("crash", onCrash);
  browser.on("disconnected", onLost);
  lease.overMemory.addEventListener("abort", onMemory);
  signal?.addEventListener("abort", onAbort);
  try {
    signal?.throwIfAborted();
    if (lease.overMemory.aborted) throw lost();
    if (!browser.isConnected()) throw lost();
    return await Promise.race([work(), broken.promise]);
  } catch (error) {
    if (error instanceof CaptureError && HARMLESS.has(error.code)) throw error;
    lease.usable = false;
    // The page's end is heard of first, and then the reason for it.
    await lease.browser.memory.settled();
    if (lease.overMemory.aborted && !signal?.aborted) throw overMemory(lease);
    if (error instanceof CaptureError || signal?.aborted) throw error;
    // Playwright's own words for a page that went away come before the event that says why.
    if (!browser.isConnected() || page.isClosed()) throw lost();
    if (error instanceof Error && /crashed/i.test(error.message)) throw crashed(lease);
    const thrown = thrownInPage(error);
    throw thrown === null ? error : scriptFailed(thrown);
  } finally {
    clearTimeout(timer);
    page.off("crash", onCrash);
    browser.off("disconnected", onLost);
    lease.overMemory.removeEventListener("abort", onMemory);
    signal?.removeEventListener("abort", onAbort);
  }
}

function crashed({ limits }: Lease): CaptureError {
  return new CaptureError(
    "page_crashed",
    `The page crashed its browser tab. Often it needs more memory than the ${limits.heapMiB} MiB that its scripts may use.`,
  );
}

function overMemory({ limits }: Lease): CaptureError {
  return new CaptureError(
    "too_large",
    `The page uses more than ${limits.pageMiB} MiB of memory. Load less data, or fewer or smaller images, and free what scripts no longer need.`,
  );
}

function scriptFailed(thrown: string): CaptureError {
  return new CaptureError(
    "script_failed",
    `What holds the page still failed in it: ${thrown}. A script of the page that replaces functions of the browser is the usual cause.`,
  );
}

function lost(): CaptureError {
  return new CaptureError("browser_lost", "The browser went away while it rendered the page.", true);
}

function overtime({ limits }: Lease): CaptureError {
  return new CaptureError(
    "timeout",
    `The screenshot was not done after ${limits.captureMs / 1000} s. Scripts that keep the page busy are the usual cause.`,
  );
}
