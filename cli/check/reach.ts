import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";

/** A running server answers within this time. One that compiles its pages first may need longer. */
const ANSWER_MS = 30_000;
const RETRY_AFTER_MS = 100;

/** Sends one request. @returns null after any answer, otherwise the reason for no answer */
export async function probe(url: string, timeoutMs: number, signal?: AbortSignal): Promise<string | null> {
  const ends = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  return await new Promise(resolve => {
    const send = url.startsWith("https:") ? requestHttps : requestHttp;
    const request = send(url, {
      agent: false,
      // The browser checks the certificate, and reports it for each page.
      ...(url.startsWith("https:") && { rejectUnauthorized: false }),
      signal: signal ? AbortSignal.any([signal, ends]) : ends,
    });
    request.once("response", response => {
      response.destroy();
      resolve(null);
    });
    request.once("error", error => {
      if (asksForCertificate(error)) resolve(null);
      else resolve(ends.aborted ? CHECK_ERRORS.reasons.timeout : reasonOf(error));
    });
    request.end();
  });
}

/**
 * Throws if the server doesn't answer, instead of failing each page. @throws CommandError
 * `server_unreachable`
 */
export async function requireReachable(url: string, signal: AbortSignal): Promise<void> {
  const why = await probe(url, ANSWER_MS, signal);
  if (why === null || signal.aborted) return;
  throw new CommandError("server_unreachable", CHECK_ERRORS.unreachable(url, why));
}

/** Sends requests until there is an answer. @returns the reason for no answer in time, or null */
export async function waitForAnswer(
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const why = await probe(url, end - performance.now(), signal);
    if (why === null || signal.aborted || performance.now() + RETRY_AFTER_MS > end) return why;
    await delay(RETRY_AFTER_MS);
  }
}

/** Returns whether a server refuses a request only because it has no client certificate. Sessions have them. */
function asksForCertificate(error: Error): boolean {
  return (
    "code" in error && /^ERR_SSL_.*_ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/.test(String(error.code))
  );
}

const { refused, unresolved, reset, noRoute } = CHECK_ERRORS.reasons;

const REASONS: Record<string, string> = {
  ECONNREFUSED: refused,
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  ECONNRESET: reset,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
};

function reasonOf(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return REASONS[code] ?? (error.message || code);
}
