import type { RenderingFingerprint } from "../../contracts/runs/rendering.ts";
import { type CaptureLimits, DEFAULT_LIMITS } from "../capture-limits.ts";
import { CaptureError, NoBrowserError, type SandboxState } from "../capture-types.ts";
import { bounded } from "../page/bounded.ts";
import { BROWSER_MESSAGES, PAGE_ERRORS } from "../texts.ts";
import { type BrowserBinary, findBrowser } from "./browser-binary.ts";
import { Lease } from "./lease.ts";
import { type Egress, PooledBrowser } from "./pooled-browser.ts";

/** Beside these: which addresses pages may load, and how names are resolved. */
export interface BrowserPoolOptions extends Egress {
  chromiumPath: string | null;
  /** Where the browser of the npm package is unpacked. */
  cacheDir: string;
  /** Only that browser, whose build the lock file names, whatever else is installed. */
  isLocked?: boolean;
  limits?: Partial<CaptureLimits>;
  /** Says why pages may not be rendered without Chromium's sandbox now; null where they may, as unless given. */
  whyNotUnsandboxed?: () => Promise<string | null>;
  /** Is told, once, what an operator should know about the browser. */
  warn?: (message: string) => void;
  /** Is told how each browser draws; without it, none is measured. */
  onMeasured?: (rendering: RenderingFingerprint) => void;
}

interface LeaseOptions {
  alone?: boolean;
  isFresh?: boolean;
  signal?: AbortSignal;
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
  /** Warm ones and those out on lease. */
  readonly #leases = new Set<Lease>();
  /** Longest unused first. */
  #warm: { lease: Lease; timer: NodeJS.Timeout }[] = [];
  #closed = false;
  #sandbox = true;
  #state: SandboxState = "unknown";

  constructor(options: BrowserPoolOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /**
   * A context for this key's pages only, leased to the caller until it calls release().
   * @param alone in a browser that nobody else uses, for a page that may bring its browser down
   * @param isFresh in a context that no page has used
   * @param signal ends the wait for it, with its reason
   * @throws NoBrowserError when no browser starts; CaptureError `browser_lost` when it went away or hangs, which ends it.
   */
  async lease(
    isolationKey: string,
    { alone = false, isFresh = false, signal }: LeaseOptions = {},
  ): Promise<Lease> {
    if (this.#closed) throw new CaptureError("browser_lost", PAGE_ERRORS.shuttingDown, true);
    if (!this.#sandbox) await this.#checkUnsandboxed();
    const warm = alone || isFresh ? null : this.#takeWarm(isolationKey);
    if (warm !== null) return warm;
    const browser = alone ? await this.#start() : await this.#activeBrowser();
    // Closed with its lease.
    if (alone) browser.retired = true;
    try {
      const lease = await this.#open(browser, isolationKey, signal);
      lease.isSingleUse = isFresh;
      this.#leases.add(lease);
      return lease;
    } catch (error) {
      if (alone) await this.#remove(browser);
      // The browser may have died since it was looked at; the next lease starts another.
      signal?.throwIfAborted();
      if (!browser.connected) throw new CaptureError("browser_lost", PAGE_ERRORS.browserStopped, true);
      throw error;
    }
  }

  /** Starts the browser that leases share, unless it is there. @throws NoBrowserError when none starts */
  async start(): Promise<void> {
    if (!this.#sandbox) await this.#checkUnsandboxed();
    await this.#activeBrowser();
  }

  /** Starts the browser that leases share, unless it is there, and measures it. @throws NoBrowserError when either fails */
  async measure(): Promise<void> {
    if (!this.#sandbox) await this.#checkUnsandboxed();
    const browser = await this.#activeBrowser();
    await browser.rendering(this.#limits.openMs).catch((error: unknown) => {
      this.#kill(browser);
      throw new NoBrowserError(error);
    });
  }

  /**
   * Returns the id of how a lease's browser draws; null in a pool that does not measure.
   * @throws CaptureError `browser_lost`
   */
  async renderingOf({ browser }: Lease): Promise<string | null> {
    if (!this.#options.onMeasured) return null;
    const lost = () => {
      throw new CaptureError("browser_lost", PAGE_ERRORS.browserNotMeasured, true);
    };
    return (await browser.rendering(this.#limits.openMs).catch(lost)).id;
  }

  /** Whether its browsers run in Chromium's sandbox. */
  get sandbox(): SandboxState {
    return this.#state;
  }

  /** Closes every browser, by force where one does not answer within seconds. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#warm) clearTimeout(timer);
    this.#warm = [];
    await this.#active?.catch(() => {});
    await Promise.all([...this.#leases].map(lease => this.#discard(lease)));
    await Promise.all([...this.#browsers].map(browser => browser.close()));
  }

  async #open(browser: PooledBrowser, isolationKey: string, signal?: AbortSignal): Promise<Lease> {
    const limits = this.#limits;
    const opening = Lease.open({ browser, isolationKey, limits, takeBack: given => this.#takeBack(given) });
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort);
    const late = () => {
      this.#kill(browser);
      return new CaptureError("browser_lost", PAGE_ERRORS.browserNotResponding, true);
    };
    try {
      signal?.throwIfAborted();
      return await bounded(Promise.race([opening, aborted.promise]), limits.openMs, late);
    } catch (error) {
      // Nobody waits for it any more.
      opening.then(lease => this.#end(lease)).catch(() => {});
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
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
    // Whoever else renders in a browser that hangs would only wait for his own bound.
    if (!lease.usable && browser.connected && !(await browser.answers())) this.#kill(browser);
    const spent = await browser.spent(this.#limits);
    if (spent && !browser.retired) this.#retire(browser);
    if (this.#closed || browser.retired || !lease.usable || lease.isSingleUse) {
      await this.#discard(lease);
      return;
    }
    const timer = setTimeout(() => void this.#cool(lease), this.#limits.keepWarmMs).unref();
    this.#warm.push({ lease, timer });
    const oldest = this.#warm[0];
    if (this.#warm.length > WARM_CONTEXTS && oldest) await this.#cool(oldest.lease);
  }

  async #cool(lease: Lease): Promise<void> {
    const entry = this.#warm.find(warm => warm.lease === lease);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#warm = this.#warm.filter(warm => warm !== entry);
    await this.#discard(lease);
  }

  async #discard(lease: Lease): Promise<void> {
    if (this.#leases.delete(lease)) await this.#end(lease);
  }

  /** Whichever of a retired browser's leases ends last, ends it. */
  async #end(lease: Lease): Promise<void> {
    await lease.discard();
    const { browser } = lease;
    if (browser.retired && browser.leases === 0) await this.#remove(browser);
  }

  /** A retired browser finishes its leases; the next lease starts a new one. */
  #retire(browser: PooledBrowser): void {
    browser.retired = true;
    for (const { lease } of this.#warm.filter(warm => warm.lease.browser === browser)) void this.#cool(lease);
  }

  /** Ends a browser that hangs; who has a lease of it finds it lost. */
  #kill(browser: PooledBrowser): void {
    browser.kill();
    this.#retire(browser);
  }

  async #remove(browser: PooledBrowser): Promise<void> {
    this.#browsers.delete(browser);
    await browser.close();
  }

  async #activeBrowser(): Promise<PooledBrowser> {
    for (;;) {
      this.#active ??= this.#start();
      const starting = this.#active;
      const browser = await starting.catch((error: unknown) => {
        if (this.#active === starting) this.#active = null;
        throw error;
      });
      if (browser.connected && !browser.retired) return browser;
      // Others may have waited for the same browser, and have started its successor by now.
      if (this.#active === starting) this.#active = null;
      if (!browser.retired) this.#retire(browser);
      if (browser.leases === 0) await this.#remove(browser);
    }
  }

  async #start(): Promise<PooledBrowser> {
    try {
      this.#binary ??= findBrowser(this.#options);
      const browser = await this.#launch(await this.#binary);
      this.#browsers.add(browser);
      this.#beginMeasuring(browser);
      return browser;
    } catch (error) {
      if (error instanceof NoBrowserError) throw error;
      this.#binary = null;
      throw new NoBrowserError(error);
    }
  }

  /** Beside the first page, which need not wait for it. */
  #beginMeasuring(browser: PooledBrowser): void {
    const { onMeasured } = this.#options;
    // Who needs the result asks again, and then hears why there is none.
    if (onMeasured) browser.rendering(this.#limits.openMs).then(onMeasured, () => {});
  }

  async #launch(binary: BrowserBinary): Promise<PooledBrowser> {
    const browser = await PooledBrowser.launch(binary, this.#limits, this.#options, this.#sandbox);
    const isNews = this.#sandbox && !browser.sandbox;
    this.#sandbox = browser.sandbox;
    this.#state = "on";
    if (browser.sandbox) return browser;
    await this.#checkUnsandboxed().catch(async (error: unknown) => {
      await browser.close();
      throw error;
    });
    if (isNews) this.#options.warn?.(BROWSER_MESSAGES.noSandbox);
    return browser;
  }

  /** @throws NoBrowserError where pages may not be rendered without the sandbox */
  async #checkUnsandboxed(): Promise<void> {
    const reason = (await this.#options.whyNotUnsandboxed?.()) ?? null;
    this.#state = reason === null ? "off" : "refused";
    if (reason === null) return;
    throw new NoBrowserError(BROWSER_MESSAGES.sandboxRequired(reason));
  }
}
