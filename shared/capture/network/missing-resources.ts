import type { Request } from "playwright";
import { shortened } from "../page/shown-url.ts";
import { NAME_TEXTS, REQUEST_FAILURES } from "../texts.ts";

/** Of whichever host: without them nothing on the page looks as it should. */
const EVERYWHERE = new Set(["stylesheet", "font"]);
/** Of the page's own host; others' are mostly what watches its visitors. */
const OF_OWN_HOST = new Set(["script", "image", "fetch", "xhr"]);
/** Scripts ask for what may well not be there, such as who is signed in. */
const ASKED_BY_SCRIPTS = new Set(["fetch", "xhr"]);

/** Requests that their page, or a rule of the run's own, ended. */
const MEANT = /ERR_ABORTED|ERR_BLOCKED_BY_CLIENT/;

/** Far more than are told of. */
const REMEMBERED = 100;
/** Told of at most. */
const NAMED = 5;

/** What a page asked for, and did not get, of all that it may need to look as it should. */
export class MissingResources {
  /** Why each did not come, by its address without the query. */
  readonly #reasons = new Map<string, string>();
  /** Those that a rule of the run's own answers. */
  readonly #stubs = new WeakSet<Request>();
  #document: URL | null = null;

  /** Forgets the page before. @param document the page's address, as far as it is known */
  reset(document: string | null): void {
    this.#reasons.clear();
    this.#document = document === null ? null : URL.parse(document);
  }

  /** What is answered for this request is what the run asks for. */
  expect(request: Request): void {
    this.#stubs.add(request);
  }

  /** @param status HTTP status of the answer */
  answered(request: Request, status: number): void {
    const refusedFrom = ASKED_BY_SCRIPTS.has(request.resourceType()) ? 500 : 400;
    if (status >= refusedFrom) this.#add(request, String(status));
    else this.#reasons.delete(addressOf(request));
  }

  /** @param errorText the browser's word for it, such as `net::ERR_CONNECTION_RESET` */
  failed(request: Request, errorText: string): void {
    if (!MEANT.test(errorText)) this.#add(request, errorText.replace(/^net::/, ""));
  }

  /** The page is taken without the answer to this. */
  givenUp(request: Request): void {
    this.#add(request, REQUEST_FAILURES.pending);
  }

  /**
   * Each as `/app.css (404)`, with its host where that is another than the page's; five at most, then how many more.
   * @param refusal why requests to a URL are refused; null where they are not
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

/** Without its query, which may hold a secret: reports are read by many. */
function addressOf(request: Request): string {
  return request.url().replace(/[?#].*$/s, "");
}
