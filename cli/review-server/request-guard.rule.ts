import { timingSafeEqual } from "node:crypto";

/** What decides if a request may reach the server. */
interface GuardedRequest {
  method: string;
  /** Path with the token as its first part. */
  path: string;
  host: string | undefined;
  origin: string | undefined;
  /** `Sec-Fetch-Site`, which browsers send. */
  site: string | undefined;
}

/**
 * Returns the path after the token, such as `events`. Null if the request isn't from this page or from a program that
 * knows the token: its host is another name (DNS rebinding), its origin is another site, or its token is wrong.
 */
export function admittedPath(
  { method, path, host, origin, site }: GuardedRequest,
  { port, token }: { port: number; token: string },
): string | null {
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return null;
  if (origin !== undefined && origin !== `http://${host}`) return null;
  const isOwnPage = site === undefined || site === "same-origin" || site === "none";
  // A link from elsewhere may open the page, but nothing may be changed from there.
  if (!isOwnPage && method !== "GET") return null;
  const [, given = "", ...rest] = path.split("/");
  return isEqual(given, token) ? rest.join("/") : null;
}

function isEqual(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
