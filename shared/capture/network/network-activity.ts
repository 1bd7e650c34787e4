import type { Page, Request, Response } from "playwright";
import { endsWithin } from "../../async.ts";
import { BOUNDS } from "../../contracts/capture/bounds.ts";
import { FailedRequests } from "../diagnostics/failed-requests.ts";
import type { RequestedUrls } from "../story/requested-urls.ts";
import { MissingResources } from "./missing-resources.ts";

/** These stay open as long as the page does, or don't affect how it looks. */
const ENDLESS = new Set(["eventsource", "websocket", "media", "ping", "beacon", "cspreport"]);

/** A URL that scripts request more often than this is polled as long as the page lives. */
const POLLED_AFTER = 3;
/** URLs whose requests are counted. Further ones are not awaited: a page that needs so many never stops. */
const MAX_COUNTED_URLS = 10_000;

/** Steps wait for responses among this many. */
const MAX_RESPONSES = 10_000;

/** A script that received a response but not its whole body after this time reads a stream or ignores the rest. */
const BODY_MS = 1_000;

/** Tracks a page's requests without a complete response, and its navigations. */
export class NetworkActivity {
  /** Requests started since reset(). */
  startedRequests = 0;
  /** Documents requested since reset(), without those that server redirects led to. */
  navigations = 0;
  /** How many navigations there were when the page became stable. */
  settledNavigations = 0;
  /** Whether a document has replaced the previous page. */
  committed = false;
  /** The last main document that was requested. */
  document: Request | null = null;
  /** Its response, after redirects. */
  response: Response | null = null;
  /** URLs of the responses since reset() or startStep(). */
  responses: string[] = [];
  /** URLs of all requests since reset(), for a story; null for other pages. */
  requested: RequestedUrls | null = null;
  /** When network rules will have sent the awaited requests that they delay, ms of `performance.now()`. */
  sentMs = 0;
  /** How much later network rules can still make `sentMs`, ms. */
  #delayLeftMs: number = BOUNDS.delayMs;
  /** Resources that failed to load. */
  readonly missing = new MissingResources();
  /** All failed requests. */
  readonly failed = new FailedRequests();
  /** Requests that a network rule of the run fulfills. */
  readonly #stubs = new WeakSet<Request>();
  /** Why network rules let requests fail. */
  readonly #reasons = new WeakMap<Request, string>();
  /** The last document that replaced another one. */
  #committedDocument: Request | null = null;
  readonly #responded = new WeakSet<Request>();
  /** How often scripts requested each URL. */
  readonly #requestCounts = new Map<string, number>();
  /** All requests that have not ended, awaited or not. */
  readonly #pending = new Set<Request>();
  readonly #open = new Set<Request>();
  /** Requests that are no longer awaited. */
  readonly #unawaited = new Set<Request>();
  readonly #onQuiet = new Set<() => void>();

  constructor(page: Page) {
    page.on("request", request => this.#start(request, isMainDocument(request, page)));
    page.on("response", response => {
      const request = response.request();
      if (request === this.document) this.response = response;
      this.#responded.add(request);
      if (this.responses.length < MAX_RESPONSES) this.responses.push(request.url());
      for (const record of this.#recordsOf(request)) record.recordResponse(request, response.status());
      if (request.resourceType() === "fetch") setTimeout(() => this.#done(request), BODY_MS).unref();
    });
    page.on("framenavigated", frame => {
      if (frame !== page.mainFrame()) return;
      this.committed = true;
      this.#committedDocument = this.document;
    });
    page.on("requestfinished", request => this.#end(request));
    page.on("requestfailed", request => {
      const errorText = this.#reasons.get(request) ?? request.failure()?.errorText ?? "";
      for (const record of this.#recordsOf(request)) record.recordFailure(request, errorText);
      this.#end(request);
    });
  }

  /**
   * Returns until when open requests are awaited, ms of `performance.now()`. The time that a delayed request is awaited
   * begins when it is sent.
   * @param deadlineMs of requests that no rule delays
   */
  awaitedUntilMs(deadlineMs: number, settleMs: number): number {
    return this.sentMs > 0 ? Math.max(deadlineMs, this.sentMs + settleMs) : deadlineMs;
  }

  /** Marks a request whose response comes from the run's options. */
  expect(request: Request): void {
    this.#stubs.add(request);
  }

  /** Says why a network rule lets a request fail. */
  explain(request: Request, reason: string): void {
    this.#reasons.set(request, reason);
  }

  /** Clears the state of the previous page. */
  reset(): void {
    this.startedRequests = 0;
    this.navigations = 0;
    this.settledNavigations = 0;
    this.committed = false;
    this.responses = [];
    this.requested?.clear();
    this.document = null;
    this.#committedDocument = null;
    this.response = null;
    this.sentMs = 0;
    this.#delayLeftMs = BOUNDS.delayMs;
    this.missing.reset(null);
    this.#open.clear();
    this.#unawaited.clear();
    this.#pending.clear();
    this.#requestCounts.clear();
    this.#resolveQuiet();
  }

  /**
   * Records that a network rule sends a request after a delay. All delays of a page together count for at most
   * `BOUNDS.delayMs`. Otherwise a page whose requests are delayed one after the other would never be captured.
   */
  delay(request: Request, delayMs: number): void {
    if (!this.#open.has(request)) return;
    const now = performance.now();
    const from = Math.max(this.sentMs, now);
    const extraMs = Math.min(this.#delayLeftMs, now + delayMs - from);
    if (extraMs <= 0) return;
    this.#delayLeftMs -= extraMs;
    this.sentMs = from + extraMs;
  }

  /** Starts to count navigations and responses for a step. */
  startStep(): void {
    this.navigations = 0;
    this.settledNavigations = 0;
    this.responses = [];
  }

  /** Returns whether a requested document has neither replaced the page nor failed. */
  get isNavigating(): boolean {
    const { document } = this;
    return document !== null && document !== this.#committedDocument && this.#pending.has(document);
  }

  /** Returns how many requests have not ended, including those that are no longer awaited. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Returns the awaited URLs without a complete response. */
  get open(): string[] {
    return [...this.#open].map(request => request.url());
  }

  /** Returns the requests without a response, awaited or not. Those that stay open as long as the page don't count. */
  get unanswered(): Request[] {
    return [...this.#open, ...this.#unawaited].filter(request => !this.#responded.has(request));
  }

  /** Records that the page is captured without the responses that are still open. */
  recordUnfinished(): void {
    for (const request of this.unanswered)
      for (const record of this.#recordsOf(request)) record.recordPending(request);
  }

  /** Resolves once no request is open, or after this time, ms. */
  async quiet(timeoutMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onQuiet.add(resolve);
    await endsWithin(promise, timeoutMs);
    this.#onQuiet.delete(resolve);
  }

  /** Stops waiting for the requests that are open now. */
  stopWaiting(): void {
    for (const request of this.#open) this.#unawaited.add(request);
    this.#open.clear();
    this.#resolveQuiet();
  }

  #start(request: Request, isDocument: boolean): void {
    if (isDocument) {
      if (request.redirectedFrom() === null) this.navigations++;
      this.missing.reset(request.url());
      this.document = request;
      this.response = null;
    }
    this.#pending.add(request);
    this.requested?.add(request.url());
    if (ENDLESS.has(request.resourceType()) || this.#isPoll(request)) return;
    this.startedRequests++;
    this.#open.add(request);
  }

  /** Returns what records the outcome of a request of this page. */
  #recordsOf(request: Request): (MissingResources | FailedRequests)[] {
    if (this.#stubs.has(request)) return [];
    return this.#pending.has(request) ? [this.missing, this.failed] : [this.missing];
  }

  #isPoll(request: Request): boolean {
    if (request.method() !== "GET" || !["fetch", "xhr"].includes(request.resourceType())) return false;
    const counted = this.#requestCounts.get(request.url());
    if (counted === undefined && this.#requestCounts.size >= MAX_COUNTED_URLS) return true;
    const requestCount = (counted ?? 0) + 1;
    this.#requestCounts.set(request.url(), requestCount);
    return requestCount > POLLED_AFTER;
  }

  #end(request: Request): void {
    this.#pending.delete(request);
    this.#done(request);
  }

  #done(request: Request): void {
    this.#unawaited.delete(request);
    if (this.#open.delete(request) && this.#open.size === 0) this.#resolveQuiet();
  }

  #resolveQuiet(): void {
    for (const resolve of this.#onQuiet) resolve();
  }
}

function isMainDocument(request: Request, page: Page): boolean {
  // The frame of a request is known only once its document is. Reading it earlier throws.
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}
