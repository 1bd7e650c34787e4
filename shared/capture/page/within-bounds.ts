import type { Lease } from "../browser/lease.ts";
import type { CaptureFailure } from "../capture-failure.ts";
import { CaptureError } from "../capture-types.ts";
import { PAGE_ERRORS } from "../texts.ts";
import { thrownInPage } from "./load-failures.ts";

/** After these failures, the page is unharmed and can serve the next screenshot. */
const HARMLESS: ReadonlySet<CaptureFailure> = new Set([
  "http_status",
  "selector_missing",
  "selector_invalid",
  "file_missing",
  "story_failed",
]);

/**
 * Runs a screenshot's work until it ends. It stops early at the time limit, an aborted signal, a page crash, or a lost
 * browser. A page that may be harmed is not used again.
 * @throws CaptureError, or the signal's reason
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
    lease.isUsable = false;
    // The page's end is reported first, and its reason later.
    await lease.browser.control.untilIdentified();
    if (lease.overMemory.aborted && !signal?.aborted) throw overMemory(lease);
    if (error instanceof CaptureError || signal?.aborted) throw error;
    // Playwright's own error for a closed page comes before the event that explains it.
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
  return new CaptureError("page_crashed", PAGE_ERRORS.crashed(limits.heapMiB));
}

function overMemory({ limits }: Lease): CaptureError {
  return new CaptureError("too_large", PAGE_ERRORS.overMemory(limits.pageMiB));
}

function scriptFailed(thrown: string): CaptureError {
  return new CaptureError("script_failed", PAGE_ERRORS.scriptFailed(thrown));
}

function lost(): CaptureError {
  return new CaptureError("browser_lost", PAGE_ERRORS.browserLost, true);
}

function overtime({ limits }: Lease): CaptureError {
  return new CaptureError("timeout", PAGE_ERRORS.timeout(limits.captureMs / 1000));
}
