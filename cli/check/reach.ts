import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";

/** A server that is up says something within this time; one that compiles its pages first may take long. */
const ANSWER_MS = 30_000;
const AGAIN_AFTER_MS = 100;

/** Asks once. @returns null when there was an answer, whatever it says; else why there was none */
export async function noAnswer(url: string, timeoutMs: number, signal?: AbortSignal): Promise<string | null> {
  const ends = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  return await new Promise(resolve => {
    const send = url.startsWith("https:") ? requestHttps : requestHttp;
    const asking = send(url, {
      agent: false,
      // Whether its certificate is good is the browser's to judge, and to say at each page.
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

/** @throws CommandError `server_unreachable` that says so once, instead of every page */
export async function reach(url: string, signal: AbortSignal): Promise<void> {
  const why = await noAnswer(url, ANSWER_MS, signal);
  if (why === null || signal.aborted) return;
  throw new CommandError("server_unreachable", CHECK_ERRORS.unreachable(url, why));
}

/** Asks until there is an answer. @returns why there was none in time, or null */
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
