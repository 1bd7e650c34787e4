import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { type Backoff, backoffMs } from "../../../shared/backoff.ts";

/** Seconds at first, for a receiver that restarts. Hours later, for one that has to be repaired. */
const RETRIES: Backoff = { firstMs: 5_000, longestMs: 4 * 3_600_000, factor: 3, jitter: 0.3 };
const DEADLINE_MS = 3 * 24 * 3_600_000;
/**
 * A webhook without a success for this long is paused when it fails a delivery for good. The last attempt of a delivery is
 * at most one wait before its deadline, and an attempt takes a while.
 */
const PAUSE_AFTER_MS = DEADLINE_MS - 2 * RETRIES.longestMs;
const GONE = /^410\b/;

/** A failed attempt to deliver an event. */
interface FailedAttempt {
  /** Number of attempts, from 1. */
  attempts: number;
  /** Time since the first attempt could start. A delivery that waited for others keeps its three days. */
  ageMs: number;
  retryAfterMs: number | null;
}

/**
 * Returns the wait before the next attempt in ms. Null after three days. Every answer but 2xx is retried, because
 * receivers answer 404 or 401 while they are deployed.
 * @param random 0–1
 */
export function nextDeliveryMs(
  { attempts, ageMs, retryAfterMs }: FailedAttempt,
  random: number,
): number | null {
  const waitMs = Math.max(backoffMs(attempts, RETRIES, random), retryAfterMs ?? 0);
  return ageMs + waitMs > DEADLINE_MS ? null : waitMs;
}

/**
 * Returns why a failed attempt pauses the webhook. Null if it doesn't.
 * @param isLast whether the delivery gets no more attempts
 * @param ageMs the time since its first attempt could start
 * @param failingForMs the time since the first failure after the last success
 */
export function pauseReason(
  { kind, answer }: Outcome,
  { isLast, ageMs, failingForMs }: { isLast: boolean; ageMs: number; failingForMs: number },
): "gone" | "failures" | null {
  if (kind === "sent") return null;
  if (GONE.test(answer)) return "gone";
  // Failures of earlier deliveries alone don't count.
  return isLast && Math.min(ageMs, failingForMs) >= PAUSE_AFTER_MS ? "failures" : null;
}
