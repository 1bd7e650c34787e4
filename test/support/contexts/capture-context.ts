import { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import type { BrowserPoolOptions } from "../../../shared/capture/browser/pool-options.ts";
import { captureVisit, type PooledCapture } from "../../../shared/capture/capture-in-pool.ts";
import type { CaptureLimits } from "../../../shared/capture/capture-limits.ts";
import {
  type Capture,
  CaptureError,
  type CaptureRequest,
  type VisitRequest,
} from "../../../shared/capture/capture-types.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { capture } from "../../../shared/capture/page/capture.ts";
import { statesOf } from "../../../shared/contracts/capture/steps.ts";
import { BROWSER_CACHE } from "../drivers/runner.ts";
import { type Page, Site } from "../fixtures/site.ts";

/** A site, and a pool that may render it. */
export class CaptureTestContext {
  readonly site: Site;
  readonly pool: BrowserPool;

  private constructor(site: Site, pool: BrowserPool) {
    this.site = site;
    this.pool = pool;
  }

  static async start(
    pages: Record<string, Page>,
    limits: Partial<CaptureLimits> = {},
    options: Partial<BrowserPoolOptions> = {},
  ): Promise<CaptureTestContext> {
    const site = await Site.start(pages);
    return new CaptureTestContext(site, new BrowserPool(poolOptions({ ...options, limits })));
  }

  async stop(): Promise<void> {
    await this.pool.close();
    await this.site.stop();
  }

  /** Captures a path of the site, or a URL, in a new context unless a key is given. */
  async capture(
    path: string,
    request: Partial<CaptureRequest> = {},
    key: string = crypto.randomUUID(),
  ): Promise<Capture> {
    const { environment = {} } = request;
    const lease = await this.pool.lease(key, { environment });
    try {
      const url = new URL(path, this.site.url).href;
      return await capture(lease, { url, viewport: 640, baselineHash: null, options: {}, ...request });
    } finally {
      await lease.release();
    }
  }

  /** Captures the states of a path of the site, or of a URL. */
  async visit(
    path: string,
    request: Partial<VisitRequest> = {},
    key: string = crypto.randomUUID(),
  ): Promise<(PooledCapture | CaptureError)[]> {
    const url = new URL(path, this.site.url).href;
    const { options = {} } = request;
    const states = statesOf(options.steps).map(state => ({ state, baselineHash: null }));
    const whole = { url, viewport: 640, states, ...request, options };
    const captures = await captureVisit(this.pool, key, whole, new AbortController().signal);
    return captures ?? [];
  }

  /** Returns the error of a screenshot that must fail. */
  async failure(path: string, request: Partial<CaptureRequest> = {}): Promise<CaptureError> {
    try {
      await this.capture(path, request);
    } catch (error) {
      if (error instanceof CaptureError) return error;
      throw error;
    }
    throw new Error(`${path} was captured, but should have failed.`);
  }
}

/** Returns options of a pool for tests. Pages of this machine may be rendered under the name localhost. */
export function poolOptions(options: Partial<BrowserPoolOptions> = {}): BrowserPoolOptions {
  return {
    chromiumPath: process.env.CHROMIUM_PATH ?? null,
    cacheDir: BROWSER_CACHE,
    policy: addressPolicy(["localhost"]),
    ...options,
  };
}
