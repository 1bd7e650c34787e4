import { readFile } from "node:fs/promises";
import { type Browser, chromium } from "playwright";
import type { RenderingFingerprint } from "../../contracts/runs/rendering.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { ConnectOptions } from "../network/checked-connect.ts";
import { bounded } from "../page/bounded.ts";
import { BROWSER_MESSAGES, PAGE_ERRORS } from "../texts.ts";
import { browserArgs, leftOutArgs } from "./browser-args.ts";
import type { BrowserBinary } from "./browser-binary.ts";
import { measureRendering } from "./measure-rendering.ts";
import { MemoryWatch } from "./memory-watch.ts";

/** How long a browser may take to close by itself. */
const CLOSE_MS = 5_000;
/** A browser that lives answers in milliseconds; on a machine that is very busy, in a second. */
const ANSWER_MS = 2_000;
/** Asking for the memory of all its processes costs a few milliseconds, so not after every page. */
const MEMORY_EVERY_PAGES = 20;
/** Linux counts resident memory in pages of this size. */
const MEMORY_PAGE_BYTES = 4096;

/** How its pages reach the network. */
export interface Egress extends ConnectOptions {
  /**
   * Without the proxy that checks every address, for a tool on its user's own machine: quicker, and a page's bytes are
   * not counted. The policy then judges only the page's own address.
   */
  direct?: boolean;
}

/** What a running browser is made of. */
interface BrowserParts {
  browser: Browser;
  egress: Egress;
  sandbox: boolean;
  /** Of the browser's own process. */
  pid: number;
  /** What it was started with beside Playwright's own arguments. */
  args: readonly string[];
  memory: MemoryWatch;
}

/** One running browser, and how much it has served. */
export class PooledBrowser {
  readonly browser: Browser;
  readonly egress: Egress;
  /** As `chromium 153.0.8010.0`. */
  readonly version: string;
  /** Whether it runs in Chromium's sandbox. */
  readonly sandbox: boolean;
  /** True once it only finishes what it has begun. */
  retired = false;
  leases = 0;
  pages = 0;
  readonly memory: MemoryWatch;
  readonly #pid: number;
  readonly #args: readonly string[];
  #rendering: Promise<RenderingFingerprint> | null = null;

  private constructor(parts: BrowserParts) {
    const { browser, egress, sandbox, pid, args, memory } = parts;
    this.browser = browser;
    this.memory = memory;
    this.sandbox = sandbox;
    this.egress = egress;
    this.version = `chromium ${browser.version()}`;
    this.#pid = pid;
    this.#args = args;
  }

  /**
   * Starts it without Chromium's sandbox where that cannot be built.
   * @param sandbox false where that is known
   * @throws Error of Playwright's
   */
  static async launch(
    binary: BrowserBinary,
    limits: CaptureLimits,
    egress: Egress,
    sandbox = true,
  ): Promise<PooledBrowser> {
    try {
      return await PooledBrowser.#launch(binary, limits, egress, sandbox);
    } catch (error) {
      if (!sandbox || !isSandboxFailure(error)) throw error;
      return await PooledBrowser.#launch(binary, limits, egress, false);
    }
  }

  static async #launch(
    binary: BrowserBinary,
    limits: CaptureLimits,
    egress: Egress,
    sandbox: boolean,
  ): Promise<PooledBrowser> {
    const args = browserArgs({ heapMiB: limits.heapMiB, direct: egress.direct ?? false });
    const browser = await chromium.launch({
      executablePath: binary.executablePath,
      env: binary.env,
      chromiumSandbox: sandbox,
      // The service decides what a signal means: its pages may finish first.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args,
      ignoreDefaultArgs: await leftOutArgs(),
    });
    const hung = () => new Error(BROWSER_MESSAGES.doesNotRespond);
    const watching = async () => {
      const [pid = 0] = await processIds(browser);
      return { pid, memory: await MemoryWatch.start(browser, pid, limits.pageMiB * 1024 * 1024) };
    };
    const { pid, memory } = await bounded(watching(), limits.openMs, hung).catch((error: unknown) => {
      void browser.close().catch(() => {});
      throw error;
    });
    return new PooledBrowser({ browser, egress, sandbox, pid, args, memory });
  }

  /** Returns how it draws, measured once. @throws Error where it does not answer, or not in time */
  rendering(withinMs: number): Promise<RenderingFingerprint> {
    this.#rendering ??= this.#measure(withinMs).catch((error: unknown) => {
      this.#rendering = null;
      throw error;
    });
    return this.#rendering;
  }

  #measure(withinMs: number): Promise<RenderingFingerprint> {
    const measuring = measureRendering({
      browser: this.browser,
      version: this.version,
      pid: this.#pid,
      args: this.#args,
    });
    return bounded(measuring, withinMs, silent);
  }

  get connected(): boolean {
    return this.browser.isConnected();
  }

  /** Whether it should make room for a new one. */
  async spent(limits: CaptureLimits): Promise<boolean> {
    if (!this.connected || this.pages >= limits.pagesPerBrowser) return true;
    if (this.pages % MEMORY_EVERY_PAGES !== 0) return false;
    const resident = await bounded(this.residentBytes(), ANSWER_MS, silent).catch(() => 0);
    return resident > limits.browserMiB * 1024 * 1024;
  }

  /** Resident memory of all its processes, bytes; 0 where there is no /proc. */
  async residentBytes(): Promise<number> {
    const sizes = await Promise.all((await processIds(this.browser)).map(residentBytes));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Whether it still answers; one that hangs lives on without. */
  async answers(): Promise<boolean> {
    return await bounded(processIds(this.browser), ANSWER_MS, silent).then(
      () => true,
      () => false,
    );
  }

  /** Ends it at once, and with it all that it renders. */
  kill(): void {
    if (this.#pid === 0 || !this.connected) return;
    try {
      process.kill(this.#pid, "SIGKILL");
    } catch {
      // It has ended by itself, and Playwright has not heard of it yet.
    }
  }

  /** Closes it, by force if it does not within seconds. */
  async close(): Promise<void> {
    if (!this.connected) return;
    const timer = setTimeout(() => this.kill(), CLOSE_MS);
    await this.browser.close().catch(() => {});
    clearTimeout(timer);
  }
}

/**
 * Whether Chromium did not start because it cannot build its sandbox: as root, where unprivileged user namespaces are
 * switched off, or in a container that forbids them. Told by the sources that its last words come from.
 */
function isSandboxFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /zygote_host_impl_linux\.cc|credentials\.cc|Failed to move to new namespace/.test(error.message)
  );
}

function silent(): Error {
  return new Error(PAGE_ERRORS.browserNotResponding);
}

/** The browser's own process first. */
async function processIds(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const own = processInfo.filter(info => info.type === "browser");
    return [...own, ...processInfo.filter(info => info.type !== "browser")].map(info => info.id);
  } finally {
    await session.detach();
  }
}

async function residentBytes(pid: number): Promise<number> {
  const fields = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "0 0");
  return Number(fields.split(" ")[1] ?? 0) * MEMORY_PAGE_BYTES;
}
