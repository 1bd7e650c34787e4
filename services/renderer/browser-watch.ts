import { setTimeout as delay } from "node:timers/promises";
import { outOfScope } from "../../shared/tracing/work-scope.ts";
import { RENDER_ERRORS } from "./texts.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

interface BrowserWatchOptions {
  /** @throws Error if no browser starts */
  tryBrowser(): Promise<void>;
  warn(message: string): void;
}

/** Tracks whether this node's browsers start. While none does, the node takes no jobs, because it would fail them. */
export class BrowserWatch {
  readonly #options: BrowserWatchOptions;
  readonly #stopping = new AbortController();
  #recovery: Promise<void> | null = null;

  constructor(options: BrowserWatchOptions) {
    this.#options = options;
  }

  /** The failure for `/ready`. Null while browsers start. */
  get failure(): string | null {
    return this.#recovery && RENDER_ERRORS.notReady;
  }

  /** Logs the failure once, and retries with growing pauses until a browser starts. */
  failed(error: Error): void {
    if (this.#recovery || this.#stopping.signal.aborted) return;
    this.#options.warn(RENDER_ERRORS.waiting(error.message));
    // The job that failed may be tried elsewhere long before a browser starts here.
    this.#recovery = outOfScope(() => this.#recover()).finally(() => {
      this.#recovery = null;
    });
  }

  /** Resolves at once while browsers start, else when one has started, or at `stop`. */
  async ready(): Promise<void> {
    await this.#recovery;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #recover(): Promise<void> {
    const { signal } = this.#stopping;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#options.tryBrowser();
        this.#options.warn(RENDER_ERRORS.ready);
        return;
      } catch {
        // The failure is logged already. The next pause is longer.
      }
    }
  }
}
