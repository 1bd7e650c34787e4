import type { Request } from "playwright";
import { shortened } from "../page/shown-url.ts";
import { NAME_TEXTS, REQUEST_FAILURES } from "../texts.ts";

/** Types that count from any host, because without them nothing on the page looks right. */
const ANY_HOST_TYPES = new Set(["stylesheet", "font"]);
/** Types that count from the page's own host only. Those of other hosts are mostly analytics. */
const OWN_HOST_TYPES = new Set(["script", "image", "fetch", "xhr"]);
/** Scripts often request resources that may not exist, such as the current user. */
const SCRIPT_REQUEST_TYPES = new Set(["fetch", "xhr"]);

const INTENDED = /ERR_ABORTED|ERR_BLOCKED_BY_CLIENT/;

/** Far more than are named. */
const MAX_REASONS = 100;
/** Maximum number of named resources. */
const MAX_NAMED = 5;

/** Collects resources that a page may need to look right, and that failed to load. */
export class MissingResources {
  /** Why each resource failed, by its URL without the query. */
  readonly #reasons = new Map<string, string>();
  #document: URL | null = null;

  /** Clears the resources of the previous page. @param document the page's URL, as far as it is known */
  reset(document: string | null): void {
    this.clear();
    this.#document = document === null ? null : URL.parse(document);
  }

  /** Clears the resources of what the page showed before, without a new document. */
  clear(): void {
    this.#reasons.clear();
  }

  /** @param status HTTP status of the response */
  recordResponse(request: Request, status: number): void {
    const refusedFrom = SCRIPT_REQUEST_TYPES.has(request.resourceType()) ? 500 : 400;
    if (status >= refusedFrom) this.#add(request, String(status));
    else this.#reasons.delete(addressOf(request));
  }

  /** @param errorText the browser's error, such as `net::ERR_CONNECTION_RESET` */
  recordFailure(request: Request, errorText: string): void {
    if (!isIntended(errorText)) this.#add(request, errorText.replace(/^net::/, ""));
  }

  /** Records a request without a response when the page was captured. */
  recordPending(request: Request): void {
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
    const more = names.length - MAX_NAMED;
    return names.slice(0, MAX_NAMED).concat(more > 0 ? [NAME_TEXTS.more(more)] : []);
  }

  #add(request: Request, reason: string): void {
    const url = URL.parse(request.url());
    const type = request.resourceType();
    if (url === null || !/^https?:$/.test(url.protocol)) return;
    const matters =
      ANY_HOST_TYPES.has(type) || (url.host === this.#document?.host && OWN_HOST_TYPES.has(type));
    if (matters && this.#reasons.size < MAX_REASONS) this.#reasons.set(addressOf(request), reason);
  }
}

/** Returns whether the page, or a network rule of the run, ended a request. */
export function isIntended(errorText: string): boolean {
  return INTENDED.test(errorText);
}

/** Returns the URL without its query, which may hold a secret. Many people read reports. */
function addressOf(request: Request): string {
  return request.url().replace(/[?#].*$/s, "");
}
