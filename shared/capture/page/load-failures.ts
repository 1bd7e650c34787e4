import { CaptureError } from "../capture-types.ts";
import { LOAD_ERRORS } from "../texts.ts";
import { shownUrl } from "./shown-url.ts";

/** Maximum number of URLs in a message. */
const NAMED = 3;

/** Returns whether it is Playwright's error for a page that navigates before it has loaded, or during a script. */
export function isSupersededNavigation(error: unknown): boolean {
  return (
    error instanceof Error &&
    /interrupted by another navigation|context was destroyed|navigated or closed|frame was detached|frame has been detached/i.test(
      error.message,
    )
  );
}

/** Returns whether it is Playwright's error for a navigation that ends without a document. */
export function isAborted(error: unknown): boolean {
  return (
    error instanceof Error && /download is starting|net::ERR_ABORTED|NS_BINDING_ABORTED/i.test(error.message)
  );
}

/** Returns what an in-page script threw, from Playwright's error; null for every other error. */
export function thrownInPage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return /^page\.evaluate: (.{1,200})/.exec(error.message)?.[1] ?? null;
}

/** Returns what a failed navigation means to the page's owner. Other errors are returned unchanged. */
export function explainLoadError(url: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [line = ""] = error.message.split("\n");
  if (/download is starting/i.test(line)) {
    return new CaptureError("not_a_page", LOAD_ERRORS.download(url));
  }
  const net = /net::(ERR_[A-Z0-9_]+)/.exec(line)?.[1];
  if (net === undefined) return error;
  if (net === "ERR_TOO_MANY_REDIRECTS") {
    return new CaptureError("redirect_loop", LOAD_ERRORS.redirectLoop(url));
  }
  if (net === "ERR_ABORTED") {
    return new CaptureError("not_a_page", LOAD_ERRORS.noContent(url));
  }
  if (net === "ERR_UNSAFE_REDIRECT" || net === "ERR_UNKNOWN_URL_SCHEME") {
    return new CaptureError("refused_address", LOAD_ERRORS.unsafeRedirect(url));
  }
  if (net === "ERR_BLOCKED_BY_CLIENT") {
    return new CaptureError("unreachable", LOAD_ERRORS.blocked(url));
  }
  if (net.startsWith("ERR_CERT") || net.startsWith("ERR_SSL")) {
    return new CaptureError("unreachable", LOAD_ERRORS.certificate(url, net));
  }
  return new CaptureError("unreachable", LOAD_ERRORS.unreachable(url, net));
}

/** Returns why a page did not load in time, as far as its open requests show. */
export function explainTimeout(load: {
  url: string;
  seconds: number;
  /** Whether the server sent the head of its response. */
  hasResponded: boolean;
  /** Whether the page's scripts keep the browser busy. */
  isBusy: boolean;
  document: string;
  open: string[];
}): CaptureError {
  const { url, seconds, open } = load;
  const document = shownUrl(load.document, url);
  if (!load.hasResponded) {
    return new CaptureError("timeout", LOAD_ERRORS.noResponse(document, seconds));
  }
  if (load.isBusy || open.length === 0) {
    return new CaptureError("timeout", LOAD_ERRORS.busy(url, seconds));
  }
  if (open.includes(load.document)) {
    return new CaptureError("timeout", LOAD_ERRORS.endless(document, seconds));
  }
  const named = open.slice(0, NAMED).map(address => shownUrl(address));
  return new CaptureError("timeout", LOAD_ERRORS.waiting(url, seconds, named, open.length - named.length));
}
