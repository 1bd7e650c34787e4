import type { Browser } from "playwright";
import type { RenderingFingerprint } from "../../contracts/capture/rendering.ts";
import { listBrowserProcesses } from "../browser/browser-processes.ts";
import { measureRendering } from "../browser/measure-rendering.ts";
import { MemoryWatch } from "../browser/memory-watch.ts";
import type { BrowserControl } from "./browser-control.ts";

/** Parts of a running Chromium. */
interface ControlParts {
  browser: Browser;
  /** Id of the browser's own process. */
  pid: number;
  /** The start arguments in addition to Playwright's own. */
  args: readonly string[];
  memory: MemoryWatch;
}

/** Controls a Chromium by its DevTools protocol and its process ids. */
export class ChromiumControl implements BrowserControl {
  readonly #parts: ControlParts;

  private constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** @param pageBytes the memory limit of one page */
  static async start(browser: Browser, args: readonly string[], pageBytes: number): Promise<ChromiumControl> {
    const [pid = 0] = await processIds(browser);
    const memory = await MemoryWatch.start(browser, pid, pageBytes);
    return new ChromiumControl({ browser, pid, args, memory });
  }

  watchMemory(contextId: string, onOver: () => void): () => void {
    return this.#parts.memory.watch(contextId, onOver);
  }

  async untilIdentified(): Promise<void> {
    await this.#parts.memory.untilIdentified();
  }

  async respond(): Promise<void> {
    await processIds(this.#parts.browser);
  }

  async residentBytes(): Promise<number> {
    const { browser, pid } = this.#parts;
    const session = await browser.newBrowserCDPSession();
    try {
      const processes = await listBrowserProcesses(pid, session);
      return processes.reduce((sum, process) => sum + process.residentBytes, 0);
    } finally {
      await session.detach();
    }
  }

  async measure(): Promise<RenderingFingerprint> {
    const { browser, pid, args } = this.#parts;
    return await measureRendering({ browser, version: `chromium ${browser.version()}`, pid, args });
  }

  kill(): void {
    if (this.#parts.pid === 0) return;
    try {
      process.kill(this.#parts.pid, "SIGKILL");
    } catch {
      // It has ended already, and Playwright does not know yet.
    }
  }
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
