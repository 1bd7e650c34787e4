import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { type Backoff, backoffMs } from "../../../shared/backoff.ts";

/** Seconds at first, for a receiver that restarts. Hours later, for one that has to be repaired. */
const RETRIES: Backoff = { firstMs: 5_000, longestMs: 4 * 3_600_000, factor: 3, jitter: 0.3 };
const DEADLINE_MS = 3 * 24 * 3_600_000;
/** Without a success for this long, a webhook is paused. Every delivery gets its three days. */
const PAUSE_AFTER_MS = DEADLINE_MS;
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

/** Returns why a failed attempt pauses the webhook. Null if it doesn't. */
export function pauseReason(
  { kind, answer }: Outcome,
  { failingSince, now }: { failingSince: Date; now: Date },
): "gone" | "failures" | null {
  if (kind === "sent") return null;
  if (GONE.test(answer)) return "gone";
  return now.getTime() - failingSince.getTime() >= PAUSE_AFTER_MS ? "failures" : null;
}
