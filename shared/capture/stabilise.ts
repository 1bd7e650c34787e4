import type { CaptureOptions } from "../contracts/capture-options.ts";
import { CaptureError } from "./capture-types.ts";
import { freezePage } from "./in-page/freeze-page.ts";
import { settlePage } from "./in-page/settle-page.ts";
import type { Lease } from "./lease.ts";

/** Waits, within `settleMs`, until the page shows all it has and asks for nothing more. @throws CaptureError */
export async function settle(lease: Lease, options: CaptureOptions): Promise<void> {
  const { page, limits, network } = lease;
  const end = performance.now() + limits.settleMs;
  for (;;) {
    await network.quiet(end - performance.now());
    const { begun } = network;
    const settled = await page.evaluate(settlePage, {
      waitForSelector: options.waitForSelector ?? null,
      selectorMs: limits.selectorMs,
      settleMs: limits.settleMs,
      maxHeightPx: limits.maxHeightPx,
    });
    if (settled.invalidSelector !== null) throw invalidSelector(settled.invalidSelector);
    if (settled.missing !== null) {
      throw new CaptureError(
        "selector_missing",
        `${options.waitForSelector} did not become visible within ${limits.selectorMs / 1000} s.`,
      );
    }
    if ((network.open.length === 0 && network.begun === begun) || performance.now() > end) return;
  }
}

/** Stops motion, applies masks and hidden selectors. @returns the page's whole size, px. @throws CaptureError */
export async function freeze(
  lease: Lease,
  options: CaptureOptions,
): Promise<{ width: number; height: number }> {
  const frozen = await lease.page.evaluate(freezePage, {
    masks: options.masks ?? [],
    hide: options.hide ?? [],
  });
  if (frozen.invalidSelector !== null) throw invalidSelector(frozen.invalidSelector);
  return frozen;
}

function invalidSelector(selector: string): CaptureError {
  return new CaptureError("selector_invalid", `${selector} is not a valid CSS selector.`);
}
