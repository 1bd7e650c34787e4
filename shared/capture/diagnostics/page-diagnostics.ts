import type { ConsoleMessage, Page } from "playwright";
import {
  type ConsoleEntry,
  DIAGNOSTICS_BOUNDS,
  type Diagnostics,
  type FailedRequest,
  isQuiet,
  type PageErrorEntry,
} from "../../contracts/capture/diagnostics.ts";
import type { NetworkActivity } from "../network/network-activity.ts";
import { DistinctEntries, type ListedEntries, RAW_CHARS } from "./distinct-entries.ts";

/** Each message takes time of the node, so a page that floods it with messages or errors is no longer listened to. */
const MAX_MESSAGES = 1_000;
/** The browser's own messages about failed requests. */
const REQUEST_MESSAGE = /^Failed to load resource: /;

/** Collects what goes wrong in a page, from the browser's events. */
export class PageDiagnostics {
  readonly #page: Page;
  readonly #network: NetworkActivity;
  readonly #messages = new DistinctEntries<Omit<ConsoleEntry, "times">>();
  readonly #errors = new DistinctEntries<Omit<PageErrorEntry, "times">>();
  #messagesLeft = MAX_MESSAGES;
  #errorsLeft = MAX_MESSAGES;
  #isActive = false;

  constructor(page: Page, network: NetworkActivity) {
    this.#page = page;
    this.#network = network;
    page.on("console", this.#onMessage);
    page.on("pageerror", error => {
      if (!this.#isOfPage() || this.#errorsLeft-- <= 0) return;
      this.#errors.add({ message: raw(String(error)), source: sourceOf(error) });
    });
  }

  /** Forgets what happened, until the next page starts. */
  stop(): void {
    this.#isActive = false;
    this.#messages.clear();
    this.#errors.clear();
    this.#network.failed.reset();
  }

  /** Starts to collect for a page that is about to load. */
  start(): void {
    this.stop();
    this.#isActive = true;
    if (this.#messagesLeft === 0) this.#page.on("console", this.#onMessage);
    this.#messagesLeft = MAX_MESSAGES;
    this.#errorsLeft = MAX_MESSAGES;
  }

  /**
   * Returns what happened so far; null if nothing.
   * @param mask masks the secrets in a text
   * @param refusal returns why requests to a URL are refused; null where they are not
   */
  list(mask: (text: string) => string, refusal: (url: URL) => string | null): Diagnostics | null {
    if (!this.#isActive) return null;
    const requests = this.#network.failed.list(refusal);
    const lists = [requests, this.#messages.list(), this.#errors.list()] as const;
    const diagnostics = diagnosticsOf(lists, text => mask(text).slice(0, DIAGNOSTICS_BOUNDS.chars));
    return isQuiet(diagnostics) ? null : diagnostics;
  }

  /** Until the document is there, messages come from the previous page. */
  #isOfPage(): boolean {
    return this.#isActive && this.#network.committed;
  }

  readonly #onMessage = (message: ConsoleMessage): void => {
    if (--this.#messagesLeft <= 0) this.#page.off("console", this.#onMessage);
    const level = message.type();
    if ((level !== "error" && level !== "warning") || !this.#isOfPage()) return;
    const text = message.text();
    // Failed requests are listed themselves.
    if (REQUEST_MESSAGE.test(text) && message.args().length === 0) return;
    const { url, lineNumber } = message.location();
    const place = url === "" ? { url: null, line: null } : { url: raw(url), line: lineNumber + 1 };
    this.#messages.add({ level, text: raw(text), ...place });
  };
}

function raw(text: string): string {
  return text.slice(0, RAW_CHARS);
}

function sourceOf(error: Error): string | null {
  // The page can write any stack, also one that is slow to search.
  return /^ +at (.*)$/m.exec(raw(error.stack ?? ""))?.[1] ?? null;
}

function diagnosticsOf(
  [requests, messages, errors]: readonly [
    ListedEntries<FailedRequest>,
    ListedEntries<ConsoleEntry>,
    ListedEntries<PageErrorEntry>,
  ],
  shown: (text: string) => string,
): Diagnostics {
  const orNull = (text: string | null) => text && shown(text);
  return {
    failedRequests: requests.entries.map(entry => ({
      ...entry,
      url: shown(entry.url),
      error: orNull(entry.error),
    })),
    consoleMessages: messages.entries.map(entry => ({
      ...entry,
      text: shown(entry.text),
      url: orNull(entry.url),
    })),
    pageErrors: errors.entries.map(entry => ({
      ...entry,
      message: shown(entry.message),
      source: orNull(entry.source),
    })),
    dropped: {
      failedRequests: requests.dropped,
      consoleMessages: messages.dropped,
      pageErrors: errors.dropped,
    },
  };
}
