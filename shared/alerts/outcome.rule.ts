import { RECEIVER_ERRORS } from "./texts.ts";
/** What became of a try to deliver. `answer` is for people: what the receiver said, without anything secret. */
export type Outcome =
  | { kind: "sent"; answer: string }
  | { kind: "later"; answer: string; askedMs: number | null }
  | { kind: "refused"; answer: string };

/** What a receiver answered over HTTP. */
export interface HttpAnswer {
  status: number;
  retryAfter: string | undefined;
  /** The beginning of the body. */
  text: string;
}

/** Refusals that say nothing of the message: the receiver may take it another time. */
const PASSING = new Set([408, 425, 429]);
const ANSWER_CHARS = 200;

/** What an answer means. @param now ms since 1970 */
export function outcomeOf({ status, retryAfter, text }: HttpAnswer, now = Date.now()): Outcome {
  const answer = plainAnswer(`${status} ${text}`);
  if (status >= 200 && status < 300) return { kind: "sent", answer };
  if (status >= 500 || PASSING.has(status))
    return { kind: "later", answer, askedMs: askedToWaitMs(retryAfter, now) };
  if (status >= 300 && status < 400)
    return {
      kind: "refused",
      answer: RECEIVER_ERRORS.redirect(status),
    };
  return { kind: "refused", answer };
}

/** One short line of what a receiver said. */
export function plainAnswer(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .toWellFormed()
    .trim();
  return line.length > ANSWER_CHARS ? `${line.slice(0, ANSWER_CHARS - 1)}…` : line;
}

/** What `Retry-After` asks for, in ms: seconds or a date; null when it says nothing. @param now ms since 1970 */
export function askedToWaitMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Whether a receiver over HTTP does not take what was sent as it is: less of it may be taken. */
export function isContentRefused({ kind, answer }: Outcome): boolean {
  return kind === "refused" && /^(400|413|422)\b/.test(answer);
}
