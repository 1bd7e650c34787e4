import { setTimeout as delay } from "node:timers/promises";
import { RENDER_ERRORS } from "./texts.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

interface Rig {
  /** @throws Error when no browser starts */
  tryBrowser(): Promise<void>;
  warn(message: string): void;
}

/** Whether the node's browsers start. While none does, the node had better take no jobs: it would only fail them. */
export class BrowserWatch {
  readonly #rig: Rig;
  readonly #stopping = new AbortController();
  #mended: Promise<void> | null = null;

  constructor(rig: Rig) {
    this.#rig = rig;
  }

  /** For `/ready`; null while browsers start. */
  get fault(): string | null {
    return this.#mended && RENDER_ERRORS.notReady;
  }

  /** Says so in the log, once, and tries again, after a longer pause each time, until a browser starts. */
  failed(error: Error): void {
    if (this.#mended || this.#stopping.signal.aborted) return;
    this.#rig.warn(RENDER_ERRORS.waiting(error.message));
    this.#mended = this.#mend().finally(() => {
      this.#mended = null;
    });
  }

  /** Resolves at once while browsers start, else when one has, or at `stop`. */
  async ready(): Promise<void> {
    await this.#mended;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #mend(): Promise<void> {
    const { signal } = this.#stopping;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#rig.tryBrowser();
        this.#rig.warn(RENDER_ERRORS.ready);
        return;
      } catch {
        // It was said already; the next pause is longer.
      }
    }
  }
}
