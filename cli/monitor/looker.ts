import { homedir } from "node:os";
import { join } from "node:path";
import { addressPolicy, hostOf, portOf } from "../../shared/capture/address-guard.ts";
import { BrowserPool } from "../../shared/capture/browser-pool.ts";
import { capture } from "../../shared/capture/capture.ts";
import { type Capture, CaptureError } from "../../shared/capture/capture-types.ts";
import { ComparePool } from "../../shared/compare/compare-pool.ts";
import type { Comparison } from "../../shared/compare/comparison.ts";
import type { CaptureOptions } from "../../shared/contracts/capture-options.ts";

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

  constructor(options: { urls: string[]; chromiumPath: string | null; warn(message: string): void }) {
    const hosts = options.urls.map(url => new URL(url)).map(url => `${hostOf(url)}:${portOf(url)}`);
    this.#pool = new BrowserPool({
      chromiumPath: options.chromiumPath,
      cacheDir: join(homedir(), ".cache", "vrs"),
      policy: addressPolicy(hosts),
      warn: options.warn,
    });
  }

  /** @throws NoBrowserError when no browser starts */
  async look({ url, viewport, options, baseline }: LookRequest, signal?: AbortSignal): Promise<Sight> {
    try {
      const lease = await this.#pool.lease(url, signal ? { signal } : {});
      try {
        const baselineHash = baseline?.hash ?? null;
        const taken = await capture(lease, { url, viewport, baselineHash, options }, signal);
        if (baseline === null || taken.hash === baseline.hash) return { capture: taken, comparison: null };
        this.#compare ??= new ComparePool({ threads: 1 });
        return {
          capture: taken,
          comparison: await this.#compare.compare(await baseline.read(), taken.png, signal),
        };
      } finally {
        await lease.release();
      }
    } catch (error) {
      if (error instanceof CaptureError) return error;
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#compare?.close()]);
  }
}
