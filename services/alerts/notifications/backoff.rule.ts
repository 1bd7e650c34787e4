import { type Backoff, backoffMs } from "../../../shared/backoff.ts";

/** A receiver that is away for a moment is asked again soon, one that is away for long now and then. */
const RETRIES: Backoff = { firstMs: 10_000, longestMs: 3_600_000, jitter: 0.5 };

/** What could not be delivered for a day is not news any more. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
/** More than fit into that day; bounds what a receiver that answers at once can make of us. */
const MOST_TRIES = 40;

/** What is known of a delivery that has just failed in a way that may get better. */
interface Failure {
  /** How often it was tried, from 1. */
  tries: number;
  /** Since it was queued. */
  ageMs: number;
  /** What the receiver asked us to wait. */
  askedMs: number | null;
}

/**
 * How long to wait before the next try, in ms; null to give up. Twice as long each time, up to an hour; between half
 * and all of it, so that what failed together does not come back together. Never sooner than the receiver asked.
 * @param random 0–1
 */
export function nextTryMs({ tries, ageMs, askedMs }: Failure, random: number): number | null {
  const usual = backoffMs(tries, RETRIES, random);
  const waitMs = Math.round(Math.max(usual, askedMs === null ? 0 : askedMs * (1 + random / 10)));
  return tries >= MOST_TRIES || ageMs + waitMs > GIVEN_UP_AFTER_MS ? null : waitMs;
}
