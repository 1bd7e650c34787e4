import { CaptureError } from "./capture-types.ts";
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
    return new CaptureError(
      "not_a_page",
      `${url} is a download (a PDF, an archive or the like), which no page shows.`,
    );
  }
  const net = /net::(ERR_[A-Z0-9_]+)/.exec(line)?.[1];
  if (net === undefined) return error;
  if (net === "ERR_TOO_MANY_REDIRECTS") {
    return new CaptureError(
      "redirect_loop",
      `${url} redirects for ever: the browser gave up after 20 redirects.`,
    );
  }
  if (net === "ERR_ABORTED") {
    return new CaptureError("not_a_page", `${url} answers without a page: no content (204) or a download.`);
  }
  if (net === "ERR_UNSAFE_REDIRECT" || net === "ERR_UNKNOWN_URL_SCHEME") {
    return new CaptureError("refused_address", `${url} redirects to an address that is not http: or https:.`);
  }
  if (net === "ERR_BLOCKED_BY_CLIENT") {
    return new CaptureError(
      "unreachable",
      `${url} is blocked by a rule in options.network; make the rule narrower.`,
    );
  }
  if (net.startsWith("ERR_CERT") || net.startsWith("ERR_SSL")) {
    return new CaptureError(
      "unreachable",
      `${url} cannot be reached safely: its certificate or TLS is at fault (${net}).`,
    );
  }
  return new CaptureError("unreachable", `${url} cannot be reached (${net}). Check that the site is up.`);
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
    return new CaptureError(
      "timeout",
      `${document} did not answer within ${seconds} s. Check that the site is up.`,
    );
  }
  if (load.busy || open.length === 0) {
    return new CaptureError(
      "timeout",
      `${url} did not load within ${seconds} s: its scripts keep the browser busy.`,
    );
  }
  if (open.includes(load.document)) {
    return new CaptureError(
      "timeout",
      `${document} was still being sent after ${seconds} s; its response never ends.`,
    );
  }
  const rest = open.length > NAMED ? ` and ${open.length - NAMED} more` : "";
  return new CaptureError(
    "timeout",
    `${url} did not load within ${seconds} s: it still waits for ${open
      .slice(0, NAMED)
      .map(address => shownUrl(address))
      .join(", ")}${rest}. ` +
      "If a screenshot does not need them, block them with a rule in options.network.",
  );
}
