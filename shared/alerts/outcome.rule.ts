import { cut, type TextLimit } from "../text/text-limits.ts";
import { RECEIVER_ERRORS } from "./texts.ts";
/** The result of an attempt to send a message. People read `answer`: the receiver's response without secrets. */
export type Outcome =
  | { kind: "sent"; answer: string }
  | { kind: "retry"; answer: string; retryAfterMs: number | null }
  | { kind: "refused"; answer: string };

/** A receiver's HTTP response. */
export interface HttpAnswer {
  status: number;
  retryAfter: string | undefined;
  /** Beginning of the body. */
  text: string;
}

/** Statuses that don't concern the message. The receiver may accept it later. */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);
const ANSWER_LIMIT: TextLimit = { max: 200, unit: "utf16" };

/** Returns what a response means. @param now ms since 1970 */
export function outcomeOf({ status, retryAfter, text }: HttpAnswer, now = Date.now()): Outcome {
  const answer = plainAnswer(`${status} ${text}`);
  if (status >= 200 && status < 300) return { kind: "sent", answer };
  if (status >= 500 || TEMPORARY_STATUSES.has(status))
    return { kind: "retry", answer, retryAfterMs: parseRetryAfterMs(retryAfter, now) };
  if (status >= 300 && status < 400)
    return {
      kind: "refused",
      answer: RECEIVER_ERRORS.redirect(status),
    };
  return { kind: "refused", answer };
}

/** Returns one short line of a receiver's response. */
export function plainAnswer(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .toWellFormed()
    .trim();
  return cut(line, ANSWER_LIMIT);
}

/**
 * Returns the delay that `Retry-After` asks for, in ms. The header holds seconds or a date. Null if it is missing
 * or invalid.
 * @param now ms since 1970
 */
export function parseRetryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Returns whether an HTTP receiver refused the content. It may accept a smaller message. */
export function isContentRefused({ kind, answer }: Outcome): boolean {
  return kind === "refused" && /^(400|413|422)\b/.test(answer);
}
