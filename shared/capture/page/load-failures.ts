import { CaptureError } from "../capture-types.ts";
import { LOAD_ERRORS } from "../texts.ts";
import { shownUrl } from "./shown-url.ts";

/** URLs named in a message at most. */
const NAMED = 3;

/** Playwright's words when a page goes on to another one before it has loaded, or under a script of ours. */
export function isSupersededNavigation(error: unknown): boolean {
  return (
    error instanceof Error &&
    /interrupted by another navigation|context was destroyed|navigated or closed|frame was detached|frame has been detached/i.test(
      error.message,
    )
  );
}

/** Playwright's words when a navigation ends without a document. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && /download is starting|net::ERR_ABORTED/i.test(error.message);
}

/** What a script of ours threw in the page, as Playwright tells it; null for every other error. */
export function thrownInPage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return /^page\.evaluate: (.{1,200})/.exec(error.message)?.[1] ?? null;
}

/** What a failed navigation means to the page's owner; errors that are none of its doing come back as they are. */
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

/** Why a page did not load in time, as far as its open requests tell. */
export function explainTimeout(load: {
  url: string;
  seconds: number;
  /** The server sent the head of its response. */
  answered: boolean;
  /** The page's scripts leave the browser no time. */
  busy: boolean;
  document: string;
  open: string[];
}): CaptureError {
  const { url, seconds, open } = load;
  const document = shownUrl(load.document, url);
  if (!load.answered) {
    return new CaptureError("timeout", LOAD_ERRORS.noResponse(document, seconds));
  }
  if (load.busy || open.length === 0) {
    return new CaptureError("timeout", LOAD_ERRORS.busy(url, seconds));
  }
  if (open.includes(load.document)) {
    return new CaptureError("timeout", LOAD_ERRORS.endless(document, seconds));
  }
  const named = open.slice(0, NAMED).map(address => shownUrl(address));
  return new CaptureError("timeout", LOAD_ERRORS.waiting(url, seconds, named, open.length - named.length));
}
