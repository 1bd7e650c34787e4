import { EVERY_ADDRESS } from "../../shared/capture/address-guard.ts";
import { BrowserPool } from "../../shared/capture/browser-pool.ts";
import { captureInPool } from "../../shared/capture/capture-in-pool.ts";
import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import { ComparePool } from "../../shared/compare/compare-pool.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../shared/contracts/capture-options.ts";

import type { BrowserPlace } from "../browser-place.ts";

/** A page at a width, and what it is compared with. */
export interface LookRequest {
  url: string;
  viewport: number;
  options: CaptureOptions;
  baseline: { hash: string; read(): Promise<Buffer> } | null;
}

/** What was seen; `comparison` is null where there is no baseline, or where the bytes are the same. */
export type Sight = { capture: Capture; comparison: Comparison | null } | CaptureError;

/** Takes screenshots and compares them, with a browser that stays warm. */
export class Looker {
  readonly #pool: BrowserPool;
  #compare: ComparePool | null = null;

  constructor(options: BrowserPlace & { warn(message: string): void }) {
    this.#pool = new BrowserPool({
      ...options,
      // The machine is its user's own.
      policy: EVERY_ADDRESS,
      direct: true,
    });
  }

  /** @throws NoBrowserError when no browser starts; the signal's reason */
  async look({ url, viewport, options, baseline }: LookRequest, signal: AbortSignal): Promise<Sight> {
    const request = { url, viewport, baselineHash: baseline?.hash ?? null, options };
    const taken = await captureInPool(this.#pool, url, request, signal);
    if (taken instanceof CaptureError) return taken;
    if (taken === null) throw signal.reason;
    if (baseline === null || taken.hash === baseline.hash) return { capture: taken, comparison: null };
    this.#compare ??= new ComparePool({ threads: 1 });
    const comparison = await this.#compare.compare(await baseline.read(), taken.png, signal);
    return { capture: taken, comparison };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#compare?.close()]);
  }
}
