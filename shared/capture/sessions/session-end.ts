import type { Lease } from "../browser/lease.ts";
import { CaptureError, type VisitRequest } from "../capture-types.ts";
import { siteOf, urlIn } from "../network/page-url.ts";
import { shownUrl } from "../page/shown-url.ts";
import { SESSION_ERRORS } from "../texts.ts";
import type { Login } from "./session-states.ts";

/** Statuses of a page that needs a login. */
const LOGIN_STATUSES = new Set([401, 403]);

/** The application does not accept the login of a page's session. Its message says how that showed. */
export class SessionEnded extends CaptureError {
  /** Status of the page; null if it led to the page of the login. */
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super("session_failed", message);
    this.name = "SessionEnded";
    this.status = status;
  }
}

/** Returns whether an error is about the page. A lost browser says nothing about it, and a session can be renewed. */
export function isOutcome(error: unknown): error is CaptureError {
  return error instanceof CaptureError && !error.retryable && !(error instanceof SessionEnded);
}

/**
 * Returns whether the open page shows that its session has ended: it has the status of a missing login, or it is the
 * page on which the login began.
 * @param cause what opened the page, for texts: the step, or null for the visit itself
 * @param expectedStatus status that a step of the page asks for
 */
export function findSessionEnd(
  { page, network }: Lease,
  { request, login }: { request: VisitRequest; login: Login },
  { cause, expectedStatus }: { cause: string | null; expectedStatus: number | null },
): SessionEnded | null {
  const name = cause ?? shownIn(request, request.url);
  const status = network.response?.status() ?? null;
  if (status !== null && LOGIN_STATUSES.has(status) && status !== expectedStatus)
    return new SessionEnded(SESSION_ERRORS.status(name, status), status);
  const place = placeOf(page.url());
  if (place !== login.beganAt || wantedPlaces(request).includes(place)) return null;
  return new SessionEnded(SESSION_ERRORS.redirected(name, shownIn(request, page.url())), null);
}

/** Returns what identifies a page of an application: its URL without the query, and with the route of a hash router. */
export function placeOf(url: string): string {
  const { origin = "null", pathname = url, hash = "" } = URL.parse(url) ?? {};
  const route = hash.startsWith("#/") ? hash.replace(/\?.*$/s, "") : "";
  return origin + pathname.replace(/\/$/, "") + route.replace(/\/$/, "");
}

/** Returns the pages that the visit opens on purpose. */
function wantedPlaces(request: VisitRequest): string[] {
  const { steps = [] } = request.options;
  const opened = steps.flatMap(step => (step.action === "goto" ? [urlIn(siteOf(request), step.url)] : []));
  return [request.url, ...opened].map(placeOf);
}

/** Returns the path of a URL of the site, and other URLs with their origin. */
function shownIn(request: VisitRequest, url: string): string {
  const { origin } = new URL(siteOf(request));
  const shown = shownUrl(url);
  return shown.startsWith(`${origin}/`) ? shown.slice(origin.length) : shown;
}
