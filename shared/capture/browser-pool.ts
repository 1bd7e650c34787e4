import type { AddressPolicy } from "./address-guard.ts";
import { type BrowserBinary, findBrowser } from "./browser-binary.ts";
import { type CaptureLimits, DEFAULT_LIMITS } from "./capture-limits.ts";
import { CaptureError } from "./capture-types.ts";
import { Lease } from "./lease.ts";
import { PooledBrowser } from "./pooled-browser.ts";

export interface BrowserPoolOptions {
  chromiumPath: string | null;
  /** Where the browser of the npm package is unpacked. */
  cacheDir: string;
  /** Which addresses pages may load. */
  policy: AddressPolicy;
  limits?: Partial<CaptureLimits>;
}

/** Warm contexts kept at most; the longest unused is closed first. */
const WARM_CONTEXTS = 8;

/** Browsers with warm, isolated contexts. A key's cookies, cache and storage are never seen by another key. */
export class BrowserPool {
  readonly #options: BrowserPoolOptions;
  readonly #limits: CaptureLimits;
  #binary: Promise<BrowserBinary> | null = null;
  #active: Promise<PooledBrowser> | null = null;
  readonly #browsers = new Set<PooledBrowser>();
  /** Longest unused first. */
  #warm: { lease: Lease; timer: NodeJS.Timeout }[] = [];
  #closed = false;

  constructor(options: BrowserPoolOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /**
   * A context for this key's pages only, leased to the caller until it calls release().
   * @throws CaptureError `browser_lost` when no browser starts.
   */
  async lease(isolationKey: string): Promise<Lease> {
    if (this.#closed) throw new CaptureError("browser_lost", "The renderer is shutting down.", true);
    const warm = this.#takeWarm(isolationKey);
    if (warm !== null) return warm;
    const browser = await this.#activeBrowser();
    return await Lease.open(browser, isolationKey, this.#limits, lease => this.#takeBack(lease));
  }

  /** Closes every browser, by force where one does not answer within seconds. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#warm) clearTimeout(timer);
    this.#warm = [];
    await this.#active?.catch(() => {});
    await Promise.all([...this.#browsers].map(browser => browser.close()));
  }

  #takeWarm(isolationKey: string): Lease | null {
    const index = this.#warm.findLastIndex(
      ({ lease }) => lease.isolationKey === isolationKey && lease.usable,
    );
    const [found] = index < 0 ? [] : this.#warm.splice(index, 1);
    if (found === undefined) return null;
    clearTimeout(found.timer);
    return found.lease;
  }

  async #takeBack(lease: Lease): Promise<void> {
    const { browser } = lease;
    const spent = await browser.spent(this.#limits);
    if (spent && !browser.retired) this.#retire(browser);
    if (this.#closed || browser.retired || !lease.usable) {
      await lease.discard();
    } else {
      const timer = setTimeout(() => void this.#cool(lease), this.#limits.keepWarmMs).unref();
      this.#warm.push({ lease, timer });
      const oldest = this.#warm[0];
      if (this.#warm.length > WARM_CONTEXTS && oldest) await this.#cool(oldest.lease);
    }
    if (browser.retired && browser.leases === 0) await this.#remove(browser);
  }

  async #cool(lease: Lease): Promise<void> {
    const entry = this.#warm.find(warm => warm.lease === lease);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#warm = this.#warm.filter(warm => warm !== entry);
    await lease.discard();
  }

  /** A retired browser finishes its leases; the next lease starts a new one. */
  #retire(browser: PooledBrowser): void {
    browser.retired = true;
    this.#active = null;
    for (const { lease } of this.#warm.filter(warm => warm.lease.browser === browser)) void this.#cool(lease);
  }

  async #remove(browser: PooledBrowser): Promise<void> {
    this.#browsers.delete(browser);
    await browser.close();
  }

  async #activeBrowser(): Promise<PooledBrowser> {
    const current = await this.#active?.catch(() => null);
    if (current?.connected && !current.retired) return current;
    if (current) {
      this.#retire(current);
      if (current.leases === 0) await this.#remove(current);
    }
    this.#active ??= this.#start();
    return await this.#active;
  }

  async #start(): Promise<PooledBrowser> {
    try {
      this.#binary ??= findBrowser(this.#options);
      const browser = await PooledBrowser.launch(await this.#binary, this.#limits, this.#options.policy);
      this.#browsers.add(browser);
      return browser;
    } catch (error) {
      this.#binary = null;
      this.#active = null;
      const message = error instanceof Error ? error.message : String(error);
      throw new CaptureError("browser_lost", `No browser could be started. ${message}`, true);
    }
  }
}
