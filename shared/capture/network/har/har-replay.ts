import { withoutHash } from "../page-url.ts";
import type { Har, HarEntry } from "./har-format.ts";

/** Browsers stop after as many redirects. */
const MAX_REDIRECTS = 20;

/** Headers of the recorded transfer, or of its origin. Playwright adds the headers that the page's own origin needs. */
const DROPPED_HEADERS = new Set([
  "access-control-allow-credentials",
  "access-control-allow-origin",
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
]);

/** A request to find in a recording. */
export interface ReplayedRequest {
  method: string;
  url: string;
  postData: string | null;
}

/** The page that sends the requests. */
export interface ReplayContext {
  /** Origin of the application. */
  site: string;
  /** Masks the secrets in a text, as in the recording. */
  mask: (text: string) => string;
}

/** A recorded response. Null if the recorded request failed. */
export type ReplayedResponse = { status: number; headers: Record<string, string>; body: Buffer } | null;

/** The responses of a HAR file. */
export class HarReplay {
  readonly #site: string | null;
  readonly #entries: Map<string, HarEntry[]>;

  constructor({ site, entries }: Har) {
    this.#site = site;
    this.#entries = Map.groupBy(entries, ({ request }) => keyOf(request.method, request.url));
  }

  /**
   * Returns the response to a request with the same method, URL and body, after redirects. Undefined without one. The
   * application may have another origin than at the recording.
   */
  find(request: ReplayedRequest, context: ReplayContext): ReplayedResponse | undefined {
    let { method, url } = request;
    let { postData } = request;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const entry = this.#entryOf({ method, url, postData }, context);
      if (entry === undefined) return undefined;
      const { redirectURL, status } = entry.response;
      if (redirectURL === "" || status < 300 || status > 399) return responseOf(entry);
      url = URL.parse(redirectURL, url)?.href ?? redirectURL;
      // 307 and 308 keep the method and the body.
      if (status === 307 || status === 308) continue;
      method = "GET";
      postData = null;
    }
    return null;
  }

  #entryOf({ method, url, postData }: ReplayedRequest, { site, mask }: ReplayContext): HarEntry | undefined {
    const body = postData === null ? null : mask(postData);
    const isSame = ({ request }: HarEntry) => (request.postData?.text ?? body) === body;
    const addresses = [url, this.#siteUrl(url, site)].map(address => mask(withoutHash(address)));
    return addresses.flatMap(address => this.#entries.get(keyOf(method, address)) ?? []).find(isSame);
  }

  /** Returns the URL at the recording. */
  #siteUrl(url: string, site: string): string {
    const parsed = URL.parse(url);
    if (this.#site === null || parsed === null || parsed.origin !== new URL(site).origin) return url;
    return this.#site + url.slice(parsed.origin.length);
  }
}

function keyOf(method: string, url: string): string {
  return `${method} ${url}`;
}

function responseOf({ response: { status, headers, content } }: HarEntry): ReplayedResponse {
  if (status < 100) return null;
  const kept: Record<string, string> = {};
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (DROPPED_HEADERS.has(key) || key.startsWith(":")) continue;
    // Playwright reads several cookies as lines.
    const joint = key === "set-cookie" ? "\n" : ", ";
    kept[key] = kept[key] === undefined ? value : kept[key] + joint + value;
  }
  if (content.mimeType !== "") kept["content-type"] ??= content.mimeType;
  const body = Buffer.from(content.text ?? "", content.encoding === "base64" ? "base64" : "utf8");
  return { status, headers: kept, body };
}
