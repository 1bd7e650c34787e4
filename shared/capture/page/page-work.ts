import { withTimeout } from "../../async.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError } from "../capture-types.ts";
import { BusyError } from "../drivers/page-clock.ts";
import { PAGE_ERRORS } from "../texts.ts";
import { shownUrl } from "./shown-url.ts";

/**
 * Waits for work in the page, which the page's scripts may delay by at most `busyMs`.
 * @throws CaptureError `timeout`
 */
export async function awaitPageWork<T>(lease: Lease, work: Promise<T>): Promise<T> {
  return await withTimeout(work, lease.limits.busyMs, () => tooBusy(lease));
}

/**
 * Waits for work with selectors of the run's options, which may take as long as a page's scripts.
 * @throws CaptureError `timeout`
 */
export async function awaitSelectorWork<T>(lease: Lease, work: Promise<T>): Promise<T> {
  const late = () => tooBusy(lease, "selectorsTooSlow");
  return await withTimeout(work, lease.limits.busyMs, late);
}

/** Lets the page live for this long on its own clock, ms. @throws CaptureError `timeout` */
export async function advancePage(lease: Lease, durationMs: number): Promise<void> {
  await lease.clock.advance(durationMs).catch((error: unknown) => {
    throw error instanceof BusyError ? tooBusy(lease) : error;
  });
}

function tooBusy(
  { limits, page }: Lease,
  cause: "notResponding" | "selectorsTooSlow" = "notResponding",
): CaptureError {
  return new CaptureError("timeout", PAGE_ERRORS[cause](shownUrl(page.url()), limits.busyMs / 1000));
}

/** @throws CaptureError when a selector in the options is invalid */
export function refuseSelector(invalidSelector: string | null): void {
  if (invalidSelector === null) return;
  throw new CaptureError("selector_invalid", PAGE_ERRORS.invalidSelector(invalidSelector));
}
