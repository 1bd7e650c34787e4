import type { Request } from "playwright";
import { shortened } from "../page/shown-url.ts";
import { NAME_TEXTS, REQUEST_FAILURES } from "../texts.ts";

/** Types that count from any host, because without them nothing on the page looks right. */
const EVERYWHERE = new Set(["stylesheet", "font"]);
/** Types that count from the page's own host only. Those of other hosts are mostly analytics. */
const OF_OWN_HOST = new Set(["script", "image", "fetch", "xhr"]);
/** Scripts often request resources that may not exist, such as the current user. */
const ASKED_BY_SCRIPTS = new Set(["fetch", "xhr"]);

/** Requests that the page, or a network rule of the run, ended. */
const MEANT = /ERR_ABORTED|ERR_BLOCKED_BY_CLIENT/;

/** Far more than are named. */
const REMEMBERED = 100;
/** Maximum number of named resources. */
const NAMED = 5;

/** Collects resources that a page may need to look right, and that failed to load. */
export class MissingResources {
  /** Why each resource failed, by its URL without the query. */
  readonly #reasons = new Map<string, string>();
  /** Requests that a network rule of the run fulfills. */
  readonly #stubs = new WeakSet<Request>();
  #document: URL | null = null;

  /** Clears the resources of the previous page. @param document the page's URL, as far as it is known */
  reset(document: string | null): void {
    this.#reasons.clear();
    this.#document = document === null ? null : URL.parse(document);
  }

  /** Marks a request whose response comes from the run's options. */
  expect(request: Request): void {
    this.#stubs.add(request);
  }

  /** @param status HTTP status of the response */
  answered(request: Request, status: number): void {
    const refusedFrom = ASKED_BY_SCRIPTS.has(request.resourceType()) ? 500 : 400;
    if (status >= refusedFrom) this.#add(request, String(status));
    else this.#reasons.delete(addressOf(request));
  }

  /** @param errorText the browser's error, such as `net::ERR_CONNECTION_RESET` */
  failed(request: Request, errorText: string): void {
    if (!MEANT.test(errorText)) this.#add(request, errorText.replace(/^net::/, ""));
  }

  /** Records a request without a response when the page was captured. */
  givenUp(request: Request): void {
    this.#add(request, REQUEST_FAILURES.pending);
  }

  /**
   * Returns each as `/app.css (404)`, with the host where it differs from the page's. It names at most five, then how
   * many more.
   * @param refusal returns why requests to a URL are refused; null where they are not
   */
  names(refusal: (url: URL) => string | null): string[] {
    const names = [...this.#reasons].map(([address, reason]) => {
      const url = new URL(address);
      const name = url.host === this.#document?.host ? url.pathname : `${url.host}${url.pathname}`;
      return `${shortened(name)} (${refusal(url) ?? reason})`;
    });
    const more = names.length - NAMED;
    return names.slice(0, NAMED).concat(more > 0 ? [NAME_TEXTS.more(more)] : []);
  }

  #add(request: Request, reason: string): void {
    const url = URL.parse(request.url());
    const type = request.resourceType();
    if (url === null || !/^https?:$/.test(url.protocol) || this.#stubs.has(request)) return;
    const matters = EVERYWHERE.has(type) || (url.host === this.#document?.host && OF_OWN_HOST.has(type));
    if (matters && this.#reasons.size < REMEMBERED) this.#reasons.set(addressOf(request), reason);
  }
}

/** Returns the URL without its query, which may hold a secret. Many people read reports. */
function addressOf(request: Request): string {
  return request.url().replace(/[?#].*$/s, "");
}
