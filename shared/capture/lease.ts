import type { BrowserContext, CDPSession, Page } from "playwright";
import type { CaptureLimits } from "./capture-limits.ts";
import { trackPage } from "./in-page/track-page.ts";
import { NetworkActivity } from "./network-activity.ts";
import type { PooledBrowser } from "./pooled-browser.ts";

/** Viewport height of every screenshot, px: a laptop's, less the browser's own bars. */
export const VIEWPORT_HEIGHT_PX = 800;
/** How long a context may take to close before it is left to its browser's end. */
const CLOSE_MS = 3_000;

/** One isolated context with one page, used by one screenshot at a time. */
export class Lease {
  readonly browser: PooledBrowser;
  readonly isolationKey: string;
  readonly limits: CaptureLimits;
  readonly page: Page;
  readonly session: CDPSession;
  readonly network: NetworkActivity;
  /** False once its page hung or crashed: it is then closed on release instead of kept warm. */
  usable = true;
  readonly #context: BrowserContext;
  readonly #takeBack: (lease: Lease) => Promise<void>;

  private constructor(
    browser: PooledBrowser,
    isolationKey: string,
    limits: CaptureLimits,
    context: BrowserContext,
    page: Page,
    session: CDPSession,
    takeBack: (lease: Lease) => Promise<void>,
  ) {
    this.browser = browser;
    this.isolationKey = isolationKey;
    this.limits = limits;
    this.page = page;
    this.session = session;
    this.network = new NetworkActivity(page);
    this.#context = context;
    this.#takeBack = takeBack;
  }

  /** For the pool only. */
  static async open(
    browser: PooledBrowser,
    isolationKey: string,
    limits: CaptureLimits,
    takeBack: (lease: Lease) => Promise<void>,
  ): Promise<Lease> {
    browser.leases++;
    try {
      const context = await browser.browser.newContext({
        viewport: { width: 1280, height: VIEWPORT_HEIGHT_PX },
        deviceScaleFactor: 1,
        locale: "en-US",
        timezoneId: "UTC",
        reducedMotion: "reduce",
        colorScheme: "light",
        serviceWorkers: "block",
        acceptDownloads: false,
        permissions: [],
      });
      await context.addInitScript(trackPage);
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      context.on("page", popup => void popup.close().catch(() => {}));
      page.on("dialog", dialog => void dialog.dismiss().catch(() => {}));
      return new Lease(browser, isolationKey, limits, context, page, session, takeBack);
    } catch (error) {
      browser.leases--;
      throw error;
    }
  }

  /** Gives the context back; it is kept warm for the same key for a while. */
  async release(): Promise<void> {
    await this.#takeBack(this);
  }

  /** For the pool only: closes the context. */
  async discard(): Promise<void> {
    this.usable = false;
    this.browser.leases--;
    const bound = new Promise(resolve => setTimeout(resolve, CLOSE_MS).unref());
    await Promise.race([this.#context.close().catch(() => {}), bound]);
  }
}
