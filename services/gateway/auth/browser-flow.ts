import type { IncomingMessage, ServerResponse } from "node:http";
import { answerHtml, htmlPage } from "../http/html-page.ts";
import { type Site, setCookie, tokenIn } from "./session-cookie.ts";

/** A flow that redirects a browser to another site and back. */
export interface BrowserFlow {
  /** Name of the cookie that binds the flow to the browser that started it. */
  cookie: string;
  /** Path of its start and end, below the service's own path. */
  path: string;
  /** Time limit. */
  seconds: number;
  /** Title of the page that explains a failure. */
  failedTitle: string;
  /** HTML with a link that starts it again. */
  retryLink: string;
}

/** Stores the flow's token in this browser. */
export function startBrowserFlow(res: ServerResponse, site: Site, flow: BrowserFlow, token: string): void {
  putCookie(res, site, flow, { value: token, seconds: flow.seconds });
}

/** Ends a flow in this browser. @returns its token. Null if none was started in it */
export function endBrowserFlow(
  req: IncomingMessage,
  res: ServerResponse,
  site: Site,
  flow: BrowserFlow,
): string | null {
  putCookie(res, site, flow, { value: "", seconds: 0 });
  return tokenIn(req, flow.cookie);
}

function putCookie(
  res: ServerResponse,
  site: Site,
  { cookie: name, path }: BrowserFlow,
  of: { value: string; seconds: number },
): void {
  setCookie(res, site, { name, path: `${site.path.replace(/\/$/, "")}${path}`, ...of });
}

/** Answers with a page that explains why a flow failed. */
export function answerFlowFailed(
  res: ServerResponse,
  { failedTitle, retryLink }: BrowserFlow,
  status: number,
  text: string,
): void {
  // If the flow is not configured, a retry does not help.
  const link = status === 404 ? "" : `<p>${retryLink}</p>`;
  res.setHeader("Cache-Control", "no-store");
  answerHtml(res, status, htmlPage(failedTitle, `<h1>${failedTitle}</h1><p>${text}</p>${link}`));
}

/** Redirects a browser. */
export function redirect(res: ServerResponse, location: string): void {
  res.writeHead(302, { Location: location, "Cache-Control": "no-store", "Content-Length": 0 }).end();
}
