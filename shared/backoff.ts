/** How the waits between attempts grow. */
export interface Backoff {
  /** The wait after the first failure. */
  firstMs: number;
  longestMs: number;
  /** The growth from one wait to the next. */
  factor?: number;
  /** The random share of a wait, 0–1. Callers that failed together don't return together. */
  jitter?: number;
}

/**
 * Returns the wait before the next attempt, in ms.
 * @param failures consecutive failed attempts, from 1
 * @param random 0–1
 */
export function backoffMs(
  failures: number,
  { firstMs, longestMs, factor = 2, jitter = 0 }: Backoff,
  random: number = Math.random(),
): number {
  const waitMs = Math.min(firstMs * factor ** (failures - 1), longestMs);
  return Math.round(waitMs * (1 - jitter + jitter * random));
}
