/** How waits between attempts grow. */
export interface Backoff {
  /** After the first failure. */
  firstMs: number;
  longestMs: number;
  /** How many times as long as the wait before. */
  factor?: number;
  /** The random part of a wait, 0–1, so that callers that failed together don't return together. */
  jitter?: number;
}

/**
 * Returns how long to wait before the next attempt, ms.
 * @param failures attempts that failed in a row, from 1
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
