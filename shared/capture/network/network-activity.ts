import type { Page, Request, Response } from "playwright";
import { MissingResources } from "./missing-resources.ts";

/** These stay open for as long as the page does, or matter to nobody who looks at it. */
const ENDLESS = new Set(["eventsource", "websocket", "media", "ping", "beacon", "cspreport"]);

/** What scripts ask for more often than this is asked for again and again, for as long as the page lives. */
const POLLED_AFTER = 3;

/** Timers take no longer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A script that has an answer and after so long not all of its body reads a stream, or does not care for the rest. */
const BODY_MS = 1_000;

/** The requests of a page that were sent and not yet answered, and its navigations. */
export class NetworkActivity {
  /** Requests begun since reset(). */
  begun = 0;
  /** Documents asked for since reset(), those that redirects of the server led to not counted. */
  navigations = 0;
  /** How many of them there were when the page came to rest. */
  settledAt = 0;
  /** True once a document has taken the place of the page before. */
  committed = false;
  /** The main document asked for last. */
  document: Request | null = null;
  /** Its answer, redirects followed. */
  answer: Response | null = null;
  /** What the page asked for and did not get. */
  readonly missing = new MissingResources();
  readonly #answered = new WeakSet<Request>();
  /** How often scripts asked for a URL. */
  readonly #asked = new Map<string, number>();
  /** All that have not ended, waited for or not. */
  readonly #pending = new Set<Request>();
  readonly #open = new Set<Request>();
  /** Those that are waited for no more. */
  readonly #late = new Set<Request>();
  #onQuiet: (() => void)[] = [];

  constructor(page: Page) {
    page.on("request", request => this.#begin(request, isMainDocument(request, page)));
    page.on("response", response => {
      const request = response.request();
      if (request === this.document) this.answer = response;
      this.#answered.add(request);
      this.missing.answered(request, response.status());
      if (request.resourceType() === "fetch") setTimeout(() => this.#done(request), BODY_MS).unref();
    });
    page.on("framenavigated", frame => {
      if (frame === page.mainFrame()) this.committed = true;
    });
    page.on("requestfinished", request => this.#end(request));
    page.on("requestfailed", request => {
      this.missing.failed(request, request.failure()?.errorText ?? "");
      this.#end(request);
    });
  }

  /** Forgets the page before. */
  reset(): void {
    this.begun = 0;
    this.navigations = 0;
    this.settledAt = 0;
    this.committed = false;
    this.document = null;
    this.answer = null;
    this.missing.reset(null);
    this.#open.clear();
    this.#late.clear();
    this.#pending.clear();
    this.#asked.clear();
  }

  /** How many requests have not ended, those that are not waited for among them. */
  get pending(): number {
    return this.#pending.size;
  }

  /** URLs without a complete answer that are waited for. */
  get open(): string[] {
    return [...this.#open].map(request => request.url());
  }

  /** The page is taken without what has no answer yet. */
  giveUp(): void {
    for (const request of [...this.#open, ...this.#late]) {
      if (!this.#answered.has(request)) this.missing.givenUp(request);
    }
  }

  /** Resolves once no request is open; those that still are after `timeoutMs` are waited for no more. */
  async quiet(timeoutMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.waitNoMore(), Math.min(Math.max(0, timeoutMs), LONGEST_WAIT_MS));
    this.#onQuiet.push(resolve);
    await promise;
    clearTimeout(timer);
  }

  /** What is open now is waited for no more. */
  waitNoMore(): void {
    for (const request of this.#open) this.#late.add(request);
    this.#open.clear();
    this.#tellQuiet();
  }

  #begin(request: Request, isDocument: boolean): void {
    if (isDocument) {
      if (request.redirectedFrom() === null) this.navigations++;
      this.missing.reset(request.url());
      this.document = request;
      this.answer = null;
    }
    this.#pending.add(request);
    if (ENDLESS.has(request.resourceType()) || this.#isPoll(request)) return;
    this.begun++;
    this.#open.add(request);
  }

  #isPoll(request: Request): boolean {
    if (request.method() !== "GET" || !["fetch", "xhr"].includes(request.resourceType())) return false;
    const asked = (this.#asked.get(request.url()) ?? 0) + 1;
    this.#asked.set(request.url(), asked);
    return asked > POLLED_AFTER;
  }

  #end(request: Request): void {
    this.#pending.delete(request);
    this.#done(request);
  }

  #done(request: Request): void {
    this.#late.delete(request);
    if (this.#open.delete(request) && this.#open.size === 0) this.#tellQuiet();
  }

  #tellQuiet(): void {
    for (const resolve of this.#onQuiet.splice(0)) resolve();
  }
}

function isMainDocument(request: Request, page: Page): boolean {
  // The frame of a request is only known once its document is: asking for it earlier throws.
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}
