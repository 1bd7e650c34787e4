import { type Backoff, backoffMs } from "../../../shared/backoff.ts";

/** The delays start short for brief outages and grow for long ones. */
const RETRIES: Backoff = { firstMs: 10_000, longestMs: 3_600_000, jitter: 0.5 };

/** An alert that is a day old is no longer news. */
const DEADLINE_MS = 24 * 3_600_000;
/** More attempts than fit into that day. Bounds the requests to a receiver that responds at once. */
const MAX_ATTEMPTS = 40;

/** A failed attempt that may succeed later. */
interface Failure {
  /** Number of attempts, from 1. */
  attempts: number;
  /** Age since it was queued. */
  ageMs: number;
  /** Delay that the receiver asked for. */
  retryAfterMs: number | null;
}

/**
 * Returns the delay before the next attempt in ms. Null if no attempt is left. The delay doubles up to an hour. A
 * random part of up to half spreads notifications that failed together. It is never shorter than the receiver
 * asked.
 * @param random 0–1
 */
export function nextAttemptMs({ attempts, ageMs, retryAfterMs }: Failure, random: number): number | null {
  const usual = backoffMs(attempts, RETRIES, random);
  const waitMs = Math.round(Math.max(usual, retryAfterMs === null ? 0 : retryAfterMs * (1 + random / 10)));
  return attempts >= MAX_ATTEMPTS || ageMs + waitMs > DEADLINE_MS ? null : waitMs;
}
