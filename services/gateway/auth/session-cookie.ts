import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export const SESSION_COOKIE = "vrs_session";
/** Until a session ends at the latest; when it ends before, the service knows. */
const SESSION_SECONDS = 90 * 86_400;
const TOKEN = /^[\w-]{43}$/;

/** Where the service is for browsers. */
export interface Site {
  /** Without a slash at the end. */
  baseUrl: string;
  /** As browsers send it: scheme, host, port. */
  origin: string;
  /** Path of every page of it, as cookies have it. */
  path: string;
  secure: boolean;
}

/** @param baseUrl the service's public address, without a slash at the end */
export function siteOf(baseUrl: string): Site {
  const { origin, pathname, protocol } = new URL(baseUrl);
  return { baseUrl, origin, path: pathname, secure: protocol === "https:" };
}

/** A secret of 256 bits. */
export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

export function sessionTokenOf(req: IncomingMessage): string | null {
  return tokenIn(req, SESSION_COOKIE);
}

/** The token in a cookie of this name; null when there is none that could be ours. */
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

/** Sets a cookie that no script reads and that other sites' forms and images do not send. */
export function setCookie(
  res: ServerResponse,
  { secure }: Site,
  { name, value, path, seconds }: { name: string; value: string; path: string; seconds: number },
): void {
  const cookie = `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  res.appendHeader("Set-Cookie", secure ? `${cookie}; Secure` : cookie);
}
