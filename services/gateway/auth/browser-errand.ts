import type { IncomingMessage, ServerResponse } from "node:http";
import { answerHtml, htmlPage } from "../http/html-page.ts";
import { type Site, setCookie, tokenIn } from "./session-cookie.ts";

/** Something for which a browser is led to another site and comes back. */
export interface Errand {
  /** Of the cookie that binds what a browser began to that browser. */
  cookie: string;
  /** Where it is begun and ends, below the service's own path. */
  path: string;
  /** How long it may take. */
  seconds: number;
  /** Title of the page that says why it came to nothing. */
  failed: string;
  /** HTML that leads to its beginning. */
  again: string;
}

/** Has this browser remember what it alone knows of its errand. */
export function bindErrand(res: ServerResponse, site: Site, errand: Errand, token: string): void {
  putCookie(res, site, errand, { value: token, seconds: errand.seconds });
}

/** Ends an errand in this browser. @returns what it knew of it; null where none was begun in it */
export function endErrand(
  req: IncomingMessage,
  res: ServerResponse,
  site: Site,
  errand: Errand,
): string | null {
  putCookie(res, site, errand, { value: "", seconds: 0 });
  return tokenIn(req, errand.cookie);
}

function putCookie(
  res: ServerResponse,
  site: Site,
  { cookie: name, path }: Errand,
  of: { value: string; seconds: number },
): void {
  setCookie(res, site, { name, path: `${site.path.replace(/\/$/, "")}${path}`, ...of });
}

/** Says why an errand came to nothing. */
export function answerFailed(
  res: ServerResponse,
  { failed, again }: Errand,
  status: number,
  text: string,
): void {
  // Where nothing is set up, there is nothing to begin again.
  const link = status === 404 ? "" : `<p>${again}</p>`;
  res.setHeader("Cache-Control", "no-store");
  answerHtml(res, status, htmlPage(failed, `<h1>${failed}</h1><p>${text}</p>${link}`));
}

/** Leads a browser on. */
export function redirect(res: ServerResponse, location: string): void {
  res.writeHead(302, { Location: location, "Cache-Control": "no-store", "Content-Length": 0 }).end();
}
