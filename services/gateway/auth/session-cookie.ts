import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export const SESSION_COOKIE = "vrs_session";
/** The longest life of a session. The service ends some sessions earlier. */
const SESSION_SECONDS = 90 * 86_400;
const TOKEN = /^[\w-]{43}$/;

/** The service's public address for browsers. */
export interface Site {
  /** Without a slash at the end. */
  baseUrl: string;
  /** Scheme, host and port, as browsers send them. */
  origin: string;
  /** Path of all pages, as in cookies. */
  path: string;
  secure: boolean;
}

/** Reads the site from its URL. @param baseUrl the service's public address, without a slash at the end */
export function siteOf(baseUrl: string): Site {
  const { origin, pathname, protocol } = new URL(baseUrl);
  return { baseUrl, origin, path: pathname, secure: protocol === "https:" };
}

/** Returns a random secret of 256 bits. */
export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

export function sessionTokenOf(req: IncomingMessage): string | null {
  return tokenIn(req, SESSION_COOKIE);
}

/** Returns the token in a cookie. Null if it is missing or has another format. */
export function tokenIn(req: IncomingMessage, name: string): string | null {
  for (const pair of (req.headers.cookie ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    return TOKEN.test(value) ? value : null;
  }
  return null;
}

export function setSessionCookie(res: ServerResponse, site: Site, token: string): void {
  setCookie(res, site, { name: SESSION_COOKIE, value: token, path: site.path, seconds: SESSION_SECONDS });
}

export function clearSessionCookie(res: ServerResponse, site: Site): void {
  setCookie(res, site, { name: SESSION_COOKIE, value: "", path: site.path, seconds: 0 });
}

/** Sets a cookie that scripts can't read, and that forms and images of other sites don't send. */
export function setCookie(
  res: ServerResponse,
  { secure }: Site,
  { name, value, path, seconds }: { name: string; value: string; path: string; seconds: number },
): void {
  const cookie = `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  res.appendHeader("Set-Cookie", secure ? `${cookie}; Secure` : cookie);
}
