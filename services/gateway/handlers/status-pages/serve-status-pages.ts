import type { IncomingMessage, ServerResponse } from "node:http";
import { call } from "../../../../shared/contracts/bus.ts";
import {
  type BadgeContent,
  type OpenedStatusPage,
  statusPassword,
} from "../../../../shared/contracts/monitors/status-pages.ts";
import { ServiceError } from "../../../../shared/errors.ts";
import { addressOf } from "../../auth/authenticate.ts";
import { setCookie, tokenIn } from "../../auth/session-cookie.ts";
import type { Gateway } from "../../gateway-context.ts";
import { readRawBody } from "../../http/read-input.ts";
import type { Input } from "../../routes/route.ts";
import { STATUS_PAGES } from "../../texts/pages.ts";
import { badgeSvg } from "./badge-svg.ts";
import { answerStatusHtml, busyHtml, missingHtml, passwordHtml, statusHtml } from "./status-page-html.ts";

/** Status pages and badges, which everyone can read. */

const COOKIE = "vrs_status";
const COOKIE_SECONDS = 30 * 86_400;
/** States change once per check, so caches may be this old. */
const PUBLIC_CACHE = "public, max-age=30, stale-while-revalidate=60";
const BADGE_CACHE = "public, max-age=60, stale-while-revalidate=300";
const BADGE_NAME = /^([\w-]{24})\.svg$/;

/** Shows a status page, or the form for its password. */
export async function showStatusPage(
  gateway: Gateway,
  { params: { slug = "" }, req, res, context }: Input,
): Promise<undefined> {
  const retryAfterSeconds = await takeRead(gateway, req, res);
  if (retryAfterSeconds !== null) return answerOpened(res, { kind: "busy", retryAfterSeconds });
  const ticket = tokenIn(req, COOKIE) ?? undefined;
  const opened = await call(context, "monitors.openStatusPage", { slug, ticket });
  return answerOpened(res, opened);
}

/** Opens a protected status page with its password. */
export async function openStatusPage(
  gateway: Gateway,
  { params: { slug = "" }, req, res, context }: Input,
): Promise<undefined> {
  const { site } = gateway;
  const retryAfterSeconds = await takeRead(gateway, req, res);
  if (retryAfterSeconds !== null) return answerOpened(res, { kind: "busy", retryAfterSeconds });
  const given = new URLSearchParams((await readRawBody(req)).toString()).get("password");
  const password = statusPassword.safeParse(given).data;
  const opened = await call(context, "monitors.openStatusPage", { slug, password });
  if (opened.kind !== "open" || opened.ticket === null) return answerOpened(res, opened);
  const path = `${site.path.replace(/\/$/, "")}/status/${slug}`;
  setCookie(res, site, { name: COOKIE, value: opened.ticket, path, seconds: COOKIE_SECONDS });
  // A reload must not send the password again.
  res.writeHead(303, { Location: `${site.baseUrl}/status/${slug}`, "Cache-Control": "no-store" }).end();
}

/**
 * Counts a read of an address, since anyone can send any number. Caches may answer others.
 * @returns seconds to wait if there were too many; null otherwise
 */
async function takeRead(
  { publicLimit }: Gateway,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<number | null> {
  try {
    await publicLimit.take(addressOf(req), res);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== "rate_limited") throw error;
    return error.data.retryAfterSeconds ?? 1;
  } finally {
    // A shared cache would give the rest of one reader's limit to all others.
    for (const name of ["Limit", "Remaining", "Reset"]) res.removeHeader(`RateLimit-${name}`);
  }
}

function answerOpened(
  res: ServerResponse,
  opened: OpenedStatusPage | { kind: "busy"; retryAfterSeconds: number },
): undefined {
  const isPublic = opened.kind === "open" && opened.ticket === null;
  res.setHeader("Cache-Control", isPublic ? PUBLIC_CACHE : "private, no-store");
  if (!isPublic) res.setHeader("X-Robots-Tag", "noindex");
  switch (opened.kind) {
    case "missing":
      return answerStatusHtml(res, 404, missingHtml());
    case "locked":
      return answerStatusHtml(
        res,
        opened.isWrong ? 401 : 200,
        passwordHtml(opened.title, opened.isWrong ? STATUS_PAGES.wrongPassword : null),
      );
    case "limited":
      res.setHeader("Retry-After", String(opened.retryAfterSeconds));
      return answerStatusHtml(res, 429, passwordHtml(STATUS_PAGES.title, STATUS_PAGES.tooManyAttempts));
    case "busy":
      res.setHeader("Retry-After", String(opened.retryAfterSeconds));
      return answerStatusHtml(res, 429, busyHtml());
    case "open":
      return answerStatusHtml(res, 200, statusHtml(opened.content));
  }
}

/** Serves a badge. Its URL can't be guessed. */
export async function serveBadge(
  gateway: Gateway,
  { params: { name = "" }, req, res, context }: Input,
): Promise<undefined> {
  const retryAfterSeconds = await takeRead(gateway, req, res);
  if (retryAfterSeconds !== null) {
    res.setHeader("Retry-After", String(retryAfterSeconds));
    return answerBadge(res, 429, null);
  }
  const token = BADGE_NAME.exec(name)?.[1];
  const badge = token === undefined ? null : await call(context, "monitors.badge", { token });
  answerBadge(res, badge ? 200 : 404, badge);
}

function answerBadge(res: ServerResponse, status: number, badge: BadgeContent | null): undefined {
  res.setHeader("Content-Type", "image/svg+xml; charset=utf-8");
  res.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
  // Pages of other sites embed it.
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  res.setHeader("Cache-Control", badge ? BADGE_CACHE : "no-store");
  res.writeHead(status).end(badgeSvg(badge ?? { state: "unknown", uptime: null }));
}
