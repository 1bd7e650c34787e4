import { readFile } from "node:fs/promises";
import { type Browser, chromium } from "playwright";
import { withTimeout } from "../../async.ts";
import type { RenderingFingerprint } from "../../contracts/runs/rendering.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { ConnectOptions } from "../network/checked-connect.ts";
import { BROWSER_MESSAGES, PAGE_ERRORS } from "../texts.ts";
import { browserArgs, omittedArgs } from "./browser-args.ts";
import type { BrowserBinary } from "./browser-binary.ts";
import { MEMORY_PAGE_BYTES } from "./browser-processes.ts";
import { measureRendering } from "./measure-rendering.ts";
import { MemoryWatch } from "./memory-watch.ts";

/** How long a browser may take to close before it is killed. */
const CLOSE_MS = 5_000;
/** A browser responds in milliseconds, or within a second on a very busy machine. */
const RESPONSE_TIMEOUT_MS = 2_000;
/** Reading the memory of all its processes costs a few milliseconds, so it is not read after every page. */
const MEMORY_CHECK_PAGES = 20;

/** How pages reach the network. */
export interface Egress extends ConnectOptions {
  /**
   * Whether pages load without the proxy that checks every address. A tool on its user's own machine uses it. It is
   * faster, and bytes are not counted. The policy then applies only to the page's own URL.
   */
  direct?: boolean;
}

/** The parts of a running browser. */
interface BrowserParts {
  browser: Browser;
  egress: Egress;
  sandbox: boolean;
  /** Id of the browser's own process. */
  pid: number;
  /** The start arguments in addition to Playwright's own. */
  args: readonly string[];
  memory: MemoryWatch;
}

/** A running browser, and how many pages it has served. */
export class PooledBrowser {
  readonly browser: Browser;
  readonly egress: Egress;
  /** For example `chromium 153.0.8010.0`. */
  readonly version: string;
  /** Whether it runs in Chromium's sandbox. */
  readonly sandbox: boolean;
  /** Whether it only finishes its open leases. */
  isRetired = false;
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
   * Starts a browser, without Chromium's sandbox where the sandbox can't be built.
   * @param sandbox false when it is known that the sandbox can't be built
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
      // The service handles signals, so that its pages can finish first.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args,
      ignoreDefaultArgs: await omittedArgs(),
    });
    const hung = () => new Error(BROWSER_MESSAGES.doesNotRespond);
    const watching = async () => {
      const [pid = 0] = await processIds(browser);
      return { pid, memory: await MemoryWatch.start(browser, pid, limits.pageMiB * 1024 * 1024) };
    };
    const { pid, memory } = await withTimeout(watching(), limits.openMs, hung).catch((error: unknown) => {
      void browser.close().catch(() => {});
      throw error;
    });
    return new PooledBrowser({ browser, egress, sandbox, pid, args, memory });
  }

  /** Returns how the browser draws, measured once. @throws Error when it does not respond in time */
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
    return withTimeout(measuring, withinMs, silent);
  }

  get connected(): boolean {
    return this.browser.isConnected();
  }

  /** Returns whether a new browser should replace it. */
  async needsReplacement(limits: CaptureLimits): Promise<boolean> {
    if (!this.connected || this.pages >= limits.pagesPerBrowser) return true;
    if (this.pages % MEMORY_CHECK_PAGES !== 0) return false;
    const resident = await withTimeout(this.residentBytes(), RESPONSE_TIMEOUT_MS, silent).catch(() => 0);
    return resident > limits.browserMiB * 1024 * 1024;
  }

  /** Returns the resident memory of all its processes, bytes; 0 without /proc. */
  async residentBytes(): Promise<number> {
    const sizes = await Promise.all((await processIds(this.browser)).map(residentBytes));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Returns whether it responds. A browser that hangs still counts as connected. */
  async isResponding(): Promise<boolean> {
    return await withTimeout(processIds(this.browser), RESPONSE_TIMEOUT_MS, silent).then(
      () => true,
      () => false,
    );
  }

  /** Kills it at once, with everything that it renders. */
  kill(): void {
    if (this.#pid === 0 || !this.connected) return;
    try {
      process.kill(this.#pid, "SIGKILL");
    } catch {
      // It has ended already, and Playwright does not know yet.
    }
  }

  /** Closes it, and kills it if it does not close within seconds. */
  async close(): Promise<void> {
    if (!this.connected) return;
    const timer = setTimeout(() => this.kill(), CLOSE_MS);
    await this.browser.close().catch(() => {});
    clearTimeout(timer);
  }
}

/**
 * Returns whether Chromium did not start because it can't build its sandbox. That happens as root, where unprivileged
 * user namespaces are off, and in containers that forbid them. The source files in its last output identify the cause.
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

/** Returns the ids of its processes, the browser's own first. */
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
