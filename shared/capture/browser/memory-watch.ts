import type { Browser, CDPSession } from "playwright";
import { listBrowserProcesses } from "./browser-processes.ts";
import { judgeMemory } from "./memory.rule.ts";

/** A page fills a gigabyte or two in a second. */
const POLL_INTERVAL_MS = 250;
/** A browser that is busy reports late whose process ended. */
const TOLD_WITHIN_MS = 3_000;

/** Ends pages of a browser that use more memory than a page may. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #session: CDPSession;
  readonly #boundBytes: number;
  /** What to call when a page of the context was ended. */
  readonly #contexts = new Map<string, () => void>();
  readonly #contextOf = new Map<string, string>();
  /** While a process was ended and it is not known whose it was. */
  #ending: PromiseWithResolvers<void> | null = null;
  #looking = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor(pid: number, session: CDPSession, boundBytes: number) {
    this.#pid = pid;
    this.#session = session;
    this.#boundBytes = boundBytes;
  }

  /** @param pid the browser's own process @param boundBytes what one page may use */
  static async start(browser: Browser, pid: number, boundBytes: number): Promise<MemoryWatch> {
    const session = await browser.newBrowserCDPSession();
    const watch = new MemoryWatch(pid, session, boundBytes);
    session.on("Target.targetCreated", ({ targetInfo: { targetId, browserContextId } }) => {
      if (browserContextId !== undefined) watch.#contextOf.set(targetId, browserContextId);
    });
    session.on("Target.targetDestroyed", ({ targetId }) => void watch.#contextOf.delete(targetId));
    session.on("Target.targetCrashed", ({ targetId }) => watch.#onCrash(targetId));
    await session.send("Target.setDiscoverTargets", { discover: true });
    return watch;
  }

  /** Watches a context until the returned function is called. @param onOver called when a page of it was ended */
  watch(contextId: string, onOver: () => void): () => void {
    this.#contexts.set(contextId, onOver);
    this.#timer ??= setInterval(() => void this.#look(), POLL_INTERVAL_MS).unref();
    return () => {
      this.#contexts.delete(contextId);
      if (this.#contexts.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** Resolves when it is known whose the process was that was ended, at once where none was. */
  async settled(): Promise<void> {
    await this.#ending?.promise;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const processes = await listBrowserProcesses(this.#pid, this.#session);
      const bounds = { boundBytes: this.#boundBytes, pages: this.#contexts.size };
      const verdict = judgeMemory(processes, bounds);
      if (verdict.end === "browser") this.#endBrowser();
      if (verdict.end === "renderer") await this.#endRenderer(verdict.pid);
    } catch {
      // The browser went away, and its pages with it.
    } finally {
      this.#looking = false;
    }
  }

  async #endRenderer(pid: number): Promise<void> {
    const ending = Promise.withResolvers<void>();
    this.#ending = ending;
    const timer = setTimeout(ending.resolve, TOLD_WITHIN_MS);
    kill(pid);
    await ending.promise;
    clearTimeout(timer);
    this.#ending = null;
  }

  /** A page that is alone is to blame; of several, each is captured again in a browser of its own. */
  #endBrowser(): void {
    const [onOver, ...others] = this.#contexts.values();
    if (others.length === 0) onOver?.();
    kill(this.#pid);
  }

  #onCrash(targetId: string): void {
    // Else it crashed by itself.
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
    // It ended by itself.
  }
}
