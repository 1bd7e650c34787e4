import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../../shared/errors.ts";
import { ACCESS_ERRORS } from "../texts.ts";
import type { Site } from "./session-cookie.ts";

const READING = new Set(["GET", "HEAD"]);

/**
 * A browser sends its cookie with whatever another site makes it ask. So what changes something must come from a page
 * of ours: browsers say so in a header that no page can set.
 * @throws ServiceError forbidden
 */
export function requireSameOrigin(req: IncomingMessage, site: Site): void {
  if (READING.has(req.method ?? "")) return;
  if (req.headers["sec-fetch-site"] === "same-origin" || req.headers.origin === site.origin) return;
  throw foreign();
}

/** The same where no cookie is asked for: what is no browser says nothing of where it comes from. @throws ServiceError forbidden */
export function refuseOtherOrigins(req: IncomingMessage, site: Site): void {
  const { origin, "sec-fetch-site": fetchSite } = req.headers;
  if (origin !== undefined || fetchSite !== undefined) requireSameOrigin(req, site);
}

function foreign(): ServiceError {
  return new ServiceError("forbidden", ACCESS_ERRORS.foreignSite);
}
