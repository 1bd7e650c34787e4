import { withTimeout } from "../../async.ts";
import type { BrowserName, Environment } from "../../contracts/capture/environment.ts";
import type { ArchiveSite } from "../archive/archive-site.ts";
import { type CaptureLimits, DEFAULT_LIMITS } from "../capture-limits.ts";
import { CaptureError, NoBrowserError, type SandboxState } from "../capture-types.ts";
import type { ClientCertificate } from "../sessions/client-certificates.ts";
import { SessionStates } from "../sessions/session-states.ts";
import { BROWSER_MESSAGES, PAGE_ERRORS } from "../texts.ts";
import type { SiteTunnel } from "../tunnel/site-tunnel.ts";
import { type BrowserBinary, findBrowser } from "./browser-binary.ts";
import { launchChromium } from "./launch-browser.ts";
import { Lease } from "./lease.ts";
import { contextKey } from "./page-environment.ts";
import type { BrowserPoolOptions, LeaseOptions } from "./pool-options.ts";
import { PooledBrowser } from "./pooled-browser.ts";
import { refuseUnsupported, startPortable } from "./portable/start-portable.ts";
import { WarmLeases } from "./warm-leases.ts";

/**
 * Keeps browsers with warm, isolated contexts. No key ever sees the cookies, the cache or the storage of another key.
 */
export class BrowserPool {
  /** Logins of the pool's pages. */
  readonly sessions = new SessionStates();
  readonly #options: BrowserPoolOptions;
  readonly #limits: CaptureLimits;
  #binary: Promise<BrowserBinary> | null = null;
  /** The browsers that leases share, by name. */
  readonly #active = new Map<BrowserName, Promise<PooledBrowser>>();
  readonly #browsers = new Set<PooledBrowser>();
  /** Warm leases and leases in use. */
  readonly #leases = new Set<Lease>();
  readonly #warm: WarmLeases;
  #closed = false;
  #sandbox = true;
  #state: SandboxState = "unknown";

  constructor(options: BrowserPoolOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#warm = new WarmLeases(this.#limits.keepWarmMs, lease => this.#discard(lease));
  }

  /**
   * Leases a context for this key's pages only, until the caller calls release().
   * @param environment settings of the context
   * @param tunnel the tunnel to the local application of this key's pages
   * @param archive the archive that this key's pages show
   * @param certificates its TLS client certificates
   * @param audience for whom the site makes the pages, see `audienceOf`
   * @param alone whether the browser is used by this lease only, for a page that may crash its browser
   * @param isFresh whether the context must not have been used by another page
   * @param preview the preview that the page shows at best; null for none
   * @param signal aborts the wait, with the signal's reason
   * @throws NoBrowserError when no browser starts; CaptureError `browser_lost` when the browser disconnected or hangs
   */
  async lease(
    isolationKey: string,
    {
      environment = {},
      certificates = [],
      audience = "",
      tunnel,
      archive,
      alone = false,
      isFresh = false,
      preview = null,
      signal,
    }: LeaseOptions = {},
  ): Promise<Lease> {
    if (this.#closed) throw new CaptureError("browser_lost", PAGE_ERRORS.shuttingDown, true);
    const { browser: name = "chromium" } = environment;
    if (name === "chromium" && !this.#sandbox) await this.#checkUnsandboxed();
    const wanted = { isolationKey, contextKey: contextKey(environment, certificates, audience), preview };
    const warm = alone || isFresh ? null : this.#warm.take(wanted);
    if (warm !== null) return warm;
    const browser = alone ? await this.#start(name) : await this.#activeBrowser(name);
    // It closes with its lease.
    if (alone) browser.isRetired = true;
    try {
      refuseUnsupported(browser, environment);
      const context = { isolationKey, environment, certificates, audience, tunnel, archive };
      const lease = await this.#open(browser, context, signal);
      lease.isSingleUse = isFresh;
      this.#leases.add(lease);
      return lease;
    } catch (error) {
      if (alone) await this.#remove(browser);
      // The browser may have died since the last check. The next lease starts another one.
      signal?.throwIfAborted();
      if (!browser.connected) throw new CaptureError("browser_lost", PAGE_ERRORS.browserStopped, true);
      throw error;
    }
  }

  /**
   * Starts the Chromium that leases share, unless it is running.
   * @returns it, such as `chromium 153.0.8010.0`
   * @throws NoBrowserError when none starts
   */
  async start(): Promise<string> {
    if (!this.#sandbox) await this.#checkUnsandboxed();
    return (await this.#activeBrowser("chromium")).version;
  }

  /**
   * Starts the Chromium that leases share, unless it is running, and measures it.
   * @throws NoBrowserError when either fails
   */
  async measure(): Promise<void> {
    if (!this.#sandbox) await this.#checkUnsandboxed();
    const browser = await this.#activeBrowser("chromium");
    await browser.rendering(this.#limits.openMs).catch((error: unknown) => {
      this.#kill(browser);
      throw new NoBrowserError(error);
    });
  }

  /**
   * Returns the id of how a lease's browser draws; null for a browser that is not measured.
   * @throws CaptureError `browser_lost`
   */
  async renderingOf({ browser }: Lease): Promise<string | null> {
    if (!this.#options.onMeasured) return null;
    const lost = () => {
      throw new CaptureError("browser_lost", PAGE_ERRORS.browserNotMeasured, true);
    };
    return (await browser.rendering(this.#limits.openMs).catch(lost))?.id ?? null;
  }

  /** Returns whether the browsers run in Chromium's sandbox. */
  get sandbox(): SandboxState {
    return this.#state;
  }

  /** Closes every browser. A browser that does not respond within seconds is killed. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#warm.clear();
    await Promise.allSettled(this.#active.values());
    await Promise.all([...this.#leases].map(lease => this.#discard(lease)));
    await Promise.all([...this.#browsers].map(browser => browser.close()));
  }

  async #open(
    browser: PooledBrowser,
    context: {
      isolationKey: string;
      environment: Environment;
      certificates: readonly ClientCertificate[];
      audience: string;
      tunnel: SiteTunnel | undefined;
      archive: ArchiveSite | undefined;
    },
    signal?: AbortSignal,
  ): Promise<Lease> {
    const limits = this.#limits;
    const onRelease = (given: Lease) => this.#onRelease(given);
    const opening = Lease.open({ browser, ...context, limits, onRelease });
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort);
    const late = () => {
      this.#kill(browser);
      return new CaptureError("browser_lost", PAGE_ERRORS.browserNotResponding, true);
    };
    try {
      signal?.throwIfAborted();
      return await withTimeout(Promise.race([opening, aborted.promise]), limits.openMs, late);
    } catch (error) {
      // The caller no longer waits for this lease.
      opening.then(lease => this.#end(lease)).catch(() => {});
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #onRelease(lease: Lease): Promise<void> {
    const { browser } = lease;
    // Other leases of a browser that hangs would only wait until their own timeouts.
    if (!lease.isUsable && browser.connected && !(await browser.isResponding())) this.#kill(browser);
    const needsReplacement = await browser.needsReplacement(this.#limits);
    if (needsReplacement && !browser.isRetired) this.#retire(browser);
    if (this.#closed || browser.isRetired || !lease.isUsable || lease.isSingleUse) {
      await this.#discard(lease);
      return;
    }
    await this.#warm.keep(lease);
  }

  async #discard(lease: Lease): Promise<void> {
    if (this.#leases.delete(lease)) await this.#end(lease);
  }

  /** Closes a lease. The last lease of a retired browser closes the browser too. */
  async #end(lease: Lease): Promise<void> {
    await lease.discard();
    const { browser } = lease;
    if (browser.isRetired && browser.leases === 0) await this.#remove(browser);
  }

  /** Retires a browser: it finishes its leases, and the next lease starts a new browser. */
  #retire(browser: PooledBrowser): void {
    browser.isRetired = true;
    this.#warm.coolAll(browser);
  }

  /** Kills a browser that hangs. Its other leases fail with `browser_lost`. */
  #kill(browser: PooledBrowser): void {
    browser.kill();
    this.#retire(browser);
  }

  async #remove(browser: PooledBrowser): Promise<void> {
    this.#browsers.delete(browser);
    await browser.close();
  }

  async #activeBrowser(name: BrowserName): Promise<PooledBrowser> {
    for (;;) {
      const starting = this.#active.get(name) ?? this.#start(name);
      this.#active.set(name, starting);
      // Other callers may have waited for the same browser and started its successor already.
      const forget = () => this.#active.get(name) === starting && this.#active.delete(name);
      const browser = await starting.catch((error: unknown) => {
        forget();
        throw error;
      });
      if (browser.connected && !browser.isRetired) return browser;
      forget();
      if (!browser.isRetired) this.#retire(browser);
      if (browser.leases === 0) await this.#remove(browser);
    }
  }

  async #start(name: BrowserName): Promise<PooledBrowser> {
    if (name !== "chromium") {
      const browser = await startPortable(name, this.#options);
      this.#browsers.add(browser);
      return browser;
    }
    try {
      this.#binary ??= findBrowser(this.#options);
      const browser = await this.#launch(await this.#binary);
      this.#browsers.add(browser);
      this.#startMeasuring(browser);
      return browser;
    } catch (error) {
      if (error instanceof NoBrowserError) throw error;
      this.#binary = null;
      throw new NoBrowserError(error);
    }
  }

  /** Starts to measure a browser while the first page loads, which does not have to wait for it. */
  #startMeasuring(browser: PooledBrowser): void {
    const { onMeasured } = this.#options;
    // Callers that need the result call again and get the error then.
    if (onMeasured)
      browser.rendering(this.#limits.openMs).then(
        rendering => rendering && onMeasured(rendering),
        () => {},
      );
  }

  async #launch(binary: BrowserBinary): Promise<PooledBrowser> {
    const { direct = false } = this.#options;
    const launched = await launchChromium(binary, this.#limits, { direct, sandbox: this.#sandbox });
    const browser = new PooledBrowser("chromium", launched, this.#options);
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

  /** @throws NoBrowserError when pages may not be rendered without the sandbox */
  async #checkUnsandboxed(): Promise<void> {
    const reason = (await this.#options.whyNotUnsandboxed?.()) ?? null;
    this.#state = reason === null ? "off" : "refused";
    if (reason === null) return;
    throw new NoBrowserError(BROWSER_MESSAGES.sandboxRequired(reason));
  }
}
