import type { Browser } from "playwright";
import { withTimeout } from "../../async.ts";
import type { BrowserName } from "../../contracts/capture/environment.ts";
import type { RenderingFingerprint } from "../../contracts/capture/rendering.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { BrowserControl } from "../drivers/browser-control.ts";
import type { ConnectOptions } from "../network/checked-connect.ts";
import { PAGE_ERRORS } from "../texts.ts";
import type { LaunchedBrowser } from "./launch-browser.ts";

/** How long a browser may take to close before it is killed. */
const CLOSE_MS = 5_000;
/** A browser responds in milliseconds, or within a second on a very busy machine. */
const RESPONSE_TIMEOUT_MS = 2_000;
/** Reading the memory of all its processes costs a few milliseconds, so it is not read after every page. */
const MEMORY_CHECK_PAGES = 20;

/** How pages reach the network, and how they are driven. */
export interface Egress extends ConnectOptions {
  /**
   * Whether pages load without the proxy that checks every address. A tool on its user's own machine uses it. It is
   * faster, and bytes are not counted. The policy then applies only to the page's own URL.
   */
  direct?: boolean;
  /** Whether Chromium is driven like other browsers. Tests use it where no other browser is installed. */
  isPortable?: boolean;
}

/** A running browser, and how many pages it has served. */
export class PooledBrowser {
  readonly name: BrowserName;
  readonly browser: Browser;
  readonly control: BrowserControl;
  /** Whether its pages are driven with what Playwright can do in every browser. */
  readonly isPortable: boolean;
  readonly egress: Egress;
  /** For example `chromium 153.0.8010.0`. */
  readonly version: string;
  /** Whether it runs in its sandbox. */
  readonly sandbox: boolean;
  /** Whether it can emulate all options of environments. */
  readonly emulatesAll: boolean;
  /** Whether it only finishes its open leases. */
  isRetired = false;
  leases = 0;
  pages = 0;
  #rendering: Promise<RenderingFingerprint | null> | null = null;

  constructor(
    name: BrowserName,
    { browser, control, sandbox, emulatesAll }: LaunchedBrowser,
    egress: Egress,
  ) {
    this.name = name;
    this.browser = browser;
    this.control = control;
    this.sandbox = sandbox;
    this.emulatesAll = emulatesAll;
    this.egress = egress;
    this.isPortable = name !== "chromium" || (egress.isPortable ?? false);
    this.version = `${name} ${browser.version()}`;
  }

  /**
   * Returns how the browser draws, measured once; null for a browser whose drawing is not compared.
   * @throws Error when it does not respond in time
   */
  rendering(withinMs: number): Promise<RenderingFingerprint | null> {
    this.#rendering ??= withTimeout(this.control.measure(), withinMs, silent).catch((error: unknown) => {
      this.#rendering = null;
      throw error;
    });
    return this.#rendering;
  }

  get connected(): boolean {
    return this.browser.isConnected();
  }

  /** Returns whether a new browser should replace it. */
  async needsReplacement(limits: CaptureLimits): Promise<boolean> {
    if (!this.connected || this.pages >= limits.pagesPerBrowser) return true;
    if (this.pages % MEMORY_CHECK_PAGES !== 0) return false;
    const resident = await withTimeout(this.control.residentBytes(), RESPONSE_TIMEOUT_MS, silent).catch(
      () => 0,
    );
    return resident > limits.browserMiB * 1024 * 1024;
  }

  /** Returns whether it responds. A browser that hangs still counts as connected. */
  async isResponding(): Promise<boolean> {
    return await withTimeout(this.control.respond(), RESPONSE_TIMEOUT_MS, silent).then(
      () => true,
      () => false,
    );
  }

  /** Kills it at once, with everything that it renders. */
  kill(): void {
    if (this.connected) this.control.kill();
  }

  /** Closes it, and kills it if it does not close within seconds. */
  async close(): Promise<void> {
    if (!this.connected) return;
    const timer = setTimeout(() => this.kill(), CLOSE_MS);
    await this.browser.close().catch(() => {});
    clearTimeout(timer);
  }
}

function silent(): Error {
  return new Error(PAGE_ERRORS.browserNotResponding);
}
