import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../../shared/errors.ts";
import { ACCESS_ERRORS } from "../texts/errors.ts";
import type { Site } from "./session-cookie.ts";

const HERE = "http://here.invalid";
const READ_METHODS = new Set(["GET", "HEAD"]);

/**
 * Refuses changes that another site makes a browser request with its cookie. Browsers tell the origin in headers
 * that no page can set.
 * @throws ServiceError forbidden
 */
export function requireSameOrigin(req: IncomingMessage, site: Site): void {
  if (READ_METHODS.has(req.method ?? "")) return;
  if (req.headers["sec-fetch-site"] === "same-origin" || req.headers.origin === site.origin) return;
  throw foreignSiteError();
}

/**
 * Refuses requests of other origins on routes without a cookie. Clients that are not browsers send no origin.
 * @throws ServiceError forbidden
 */
export function refuseOtherOrigins(req: IncomingMessage, site: Site): void {
  const { origin, "sec-fetch-site": fetchSite } = req.headers;
  if (origin !== undefined || fetchSite !== undefined) requireSameOrigin(req, site);
}

function foreignSiteError(): ServiceError {
  return new ServiceError("forbidden", ACCESS_ERRORS.foreignSite);
}

/**
 * Returns the path of a redirect within this service from an untrusted URL. Returns `/` for anything that a
 * browser could resolve to another host, such as `//evil`, `/\evil` or `https://evil`.
 */
export function ownPath(next: unknown): string {
  if (typeof next !== "string" || next.length > 2000) return "/";
  // Browsers read a backslash as a slash, and ignore tabs and line breaks.
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return "/";
  const url = URL.parse(next, HERE);
  if (url?.origin !== HERE || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
