import type { Request } from "playwright";

/** Of whichever host: without them nothing on the page looks as it should. */
const EVERYWHERE = new Set(["stylesheet", "font"]);
/** Of the page's own host; others' are mostly what watches its visitors. */
const OF_OWN_HOST = new Set(["script", "image", "fetch", "xhr"]);
/** Scripts ask for what may well not be there, such as who is signed in. */
const ASKED_BY_SCRIPTS = new Set(["fetch", "xhr"]);

/** Requests that their page, or a rule of the run's own, ended. */
const MEANT = /ERR_ABORTED|ERR_BLOCKED_BY_CLIENT/;

/** More than are told of, so that the same one asked for again and again does not hide others. */
const REMEMBERED = 100;
/** Told of at most. */
const NAMED = 5;
const NAME_CHARS = 100;

/** What a page asked for, and did not get, of all that it may need to look as it should. */
export class MissingResources {
  readonly #reasons = new Map<Request, string>();

  /** Forgets the page before. */
  reset(): void {
    this.#reasons.clear();
  }

  /** @param status HTTP status of the answer */
  answered(request: Request, status: number): void {
    if (status >= (ASKED_BY_SCRIPTS.has(request.resourceType()) ? 500 : 400))
      this.#add(request, String(status));
  }

  /** @param errorText the browser's word for it, such as `net::ERR_CONNECTION_RESET` */
  failed(request: Request, errorText: string): void {
    if (!MEANT.test(errorText)) this.#add(request, errorText.replace(/^net::/, ""));
  }

  /**
   * Each as `/app.css (404)`, with its host where that is another than the page's; five at most, then how many more.
   * @param open requests that still wait for their answers
   * @param refusal why requests to a URL are refused; null where they are not
   */
  names(document: string, open: Iterable<Request>, refusal: (url: URL) => string | null): string[] {
    const host = URL.parse(document)?.host;
    const waiting = [...open].map(request => [request, "no answer yet"] as const);
    const names = new Set<string>();
    for (const [request, reason] of [...this.#reasons, ...waiting]) {
      const url = URL.parse(request.url());
      const type = request.resourceType();
      if (url === null || !/^https?:$/.test(url.protocol)) continue;
      const isOwn = url.host === host;
      if (!EVERYWHERE.has(type) && !(isOwn && OF_OWN_HOST.has(type))) continue;
      // Without its query, which may hold a secret: reports are read by many.
      const name = isOwn ? url.pathname : `${url.host}${url.pathname}`;
      names.add(`${shortened(name)} (${refusal(url) ?? reason})`);
    }
    const more = names.size - NAMED;
    return [...names].slice(0, NAMED).concat(more > 0 ? [`${more} more`] : []);
  }

  #add(request: Request, reason: string): void {
    if (this.#reasons.size < REMEMBERED) this.#reasons.set(request, reason);
  }
}

/** What tells names apart is mostly at their end. */
function shortened(name: string): string {
  return name.length <= NAME_CHARS ? name : `…${name.slice(1 - NAME_CHARS)}`;
}
