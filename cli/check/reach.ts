import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";

/** A running server answers within this time. One that compiles its pages first may need longer. */
const ANSWER_MS = 30_000;
const AGAIN_AFTER_MS = 100;

/** Sends one request. @returns null after any answer, otherwise the reason for no answer */
export async function noAnswer(url: string, timeoutMs: number, signal?: AbortSignal): Promise<string | null> {
  const ends = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  return await new Promise(resolve => {
    const send = url.startsWith("https:") ? requestHttps : requestHttp;
    const asking = send(url, {
      agent: false,
      // The browser checks the certificate, and reports it for each page.
      ...(url.startsWith("https:") && { rejectUnauthorized: false }),
      signal: signal ? AbortSignal.any([signal, ends]) : ends,
    });
    asking.once("response", response => {
      response.destroy();
      resolve(null);
    });
    asking.once("error", error => resolve(ends.aborted ? CHECK_ERRORS.reasons.timeout : reasonOf(error)));
    asking.end();
  });
}

/**
 * Throws if the server doesn't answer, instead of failing each page. @throws CommandError
 * `server_unreachable`
 */
export async function reach(url: string, signal: AbortSignal): Promise<void> {
  const why = await noAnswer(url, ANSWER_MS, signal);
  if (why === null || signal.aborted) return;
  throw new CommandError("server_unreachable", CHECK_ERRORS.unreachable(url, why));
}

/** Sends requests until there is an answer. @returns the reason for no answer in time, or null */
export async function untilAnswer(
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const why = await noAnswer(url, end - performance.now(), signal);
    if (why === null || signal.aborted || performance.now() + AGAIN_AFTER_MS > end) return why;
    await delay(AGAIN_AFTER_MS);
  }
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
