import type { Page, Request } from "playwright";

/** These stay open for as long as the page does, or matter to nobody who looks at it. */
const ENDLESS = new Set(["eventsource", "websocket", "media", "ping", "beacon", "cspreport"]);

/** The requests of a page that were sent and not yet answered. */
export class NetworkActivity {
  /** Requests begun since reset(). */
  begun = 0;
  readonly #open = new Set<Request>();
  #onQuiet: (() => void)[] = [];

  constructor(page: Page) {
    page.on("request", request => {
      if (ENDLESS.has(request.resourceType())) return;
      this.begun++;
      this.#open.add(request);
    });
    page.on("requestfinished", request => this.#end(request));
    page.on("requestfailed", request => this.#end(request));
  }

  /** Forgets the page before. */
  reset(): void {
    this.begun = 0;
    this.#open.clear();
  }

  /** URLs without an answer yet. */
  get open(): string[] {
    return [...this.#open].map(request => request.url());
  }

  /** Resolves once no request is open, or after `timeoutMs`. */
  async quiet(timeoutMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, Math.max(0, timeoutMs));
      this.#onQuiet.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #end(request: Request): void {
    this.#open.delete(request);
    if (this.#open.size > 0) return;
    for (const resolve of this.#onQuiet.splice(0)) resolve();
  }
}
