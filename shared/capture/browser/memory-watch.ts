import type { Browser, CDPSession } from "playwright";
import { listBrowserProcesses } from "./browser-processes.ts";
import { CrowdWatch } from "./crowd-watch.ts";
import { chooseProcessToEnd } from "./memory.rule.ts";

/** A page can fill a gigabyte or two in a second. */
const POLL_INTERVAL_MS = 250;
/** A busy browser reports late which process ended. */
const CRASH_REPORT_MS = 3_000;

/** Ends pages of a browser that use more memory than a page may. Slows pages that keep many threads busy. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #session: CDPSession;
  readonly #limitBytes: number;
  /** Callbacks by context, called when a page of the context was ended. */
  readonly #contexts = new Map<string, () => void>();
  readonly #contextOf = new Map<string, string>();
  readonly #crowds = new CrowdWatch();
  /** Set while a process was ended and its page is not known yet. */
  #ending: PromiseWithResolvers<void> | null = null;
  #isChecking = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor(pid: number, session: CDPSession, limitBytes: number) {
    this.#pid = pid;
    this.#session = session;
    this.#limitBytes = limitBytes;
  }

  /** @param pid the browser's own process @param limitBytes the memory limit of one page */
  static async start(browser: Browser, pid: number, limitBytes: number): Promise<MemoryWatch> {
    const session = await browser.newBrowserCDPSession();
    const watch = new MemoryWatch(pid, session, limitBytes);
    session.on("Target.targetCreated", ({ targetInfo: { targetId, browserContextId } }) => {
      if (browserContextId !== undefined) watch.#contextOf.set(targetId, browserContextId);
    });
    session.on("Target.targetDestroyed", ({ targetId }) => void watch.#contextOf.delete(targetId));
    session.on("Target.targetCrashed", ({ targetId }) => watch.#onCrash(targetId));
    await session.send("Target.setDiscoverTargets", { discover: true });
    return watch;
  }

  /**
   * Watches a context until the returned function is called.
   * @param onOver called when a page of the context was ended
   */
  watch(contextId: string, onOver: () => void): () => void {
    this.#contexts.set(contextId, onOver);
    this.#timer ??= setInterval(() => void this.#check(), POLL_INTERVAL_MS).unref();
    return () => {
      this.#contexts.delete(contextId);
      if (this.#contexts.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** Resolves when the page of the ended process is known, or at once when no process was ended. */
  async untilIdentified(): Promise<void> {
    await this.#ending?.promise;
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const processes = await listBrowserProcesses(this.#pid, this.#session);
      this.#crowds.check(processes);
      const bounds = { limitBytes: this.#limitBytes, pages: this.#contexts.size };
      const target = chooseProcessToEnd(processes, bounds);
      if (target.end === "browser") this.#endBrowser();
      if (target.end === "renderer") await this.#endRenderer(target.pid);
    } catch {
      // The browser disconnected, and its pages are gone.
    } finally {
      this.#isChecking = false;
    }
  }

  async #endRenderer(pid: number): Promise<void> {
    const ending = Promise.withResolvers<void>();
    this.#ending = ending;
    const timer = setTimeout(ending.resolve, CRASH_REPORT_MS);
    kill(pid);
    await ending.promise;
    clearTimeout(timer);
    this.#ending = null;
  }

  /**
   * Ends the browser. A page that was alone is to blame. Otherwise each page is captured again in a separate browser.
   */
  #endBrowser(): void {
    const [onOver, ...others] = this.#contexts.values();
    if (others.length === 0) onOver?.();
    kill(this.#pid);
  }

  #onCrash(targetId: string): void {
    // Otherwise it crashed without us.
    if (this.#ending === null) return;
    const context = this.#contextOf.get(targetId);
    if (context !== undefined) this.#contexts.get(context)?.();
    this.#ending.resolve();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended without us.
  }
}
