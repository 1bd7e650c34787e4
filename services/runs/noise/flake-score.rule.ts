/** A page's captures of one day, UTC. */
export interface PageDay {
  /** Date, such as `2026-11-24`. */
  day: string;
  captures: number;
  /** Captures that were noise: unstable, retried, changed in a null rerun, or rejected as noise. */
  noisy: number;
}

/** A day with the page's score at its end. */
export interface ScoredDay extends PageDay {
  score: number;
}

/** Older captures say little about the page as it is now. */
export const SCORED_DAYS = 30;
/** Enough for a score in whole percent. Days count as a whole, so a window can hold more. */
const WINDOW_CAPTURES = 100;
/**
 * A page with fewer captures is scored as if the missing ones were clean. One noisy capture out of one proves little.
 */
const LEAST_CAPTURES = 10;
const DAY_MS = 24 * 3_600_000;

/**
 * Returns the share of a page's recent captures that were noise, 0–1. It counts back from `today` until 100 captures
 * are reached, 30 days at most.
 */
export function flakeScore(days: readonly PageDay[], today: string): number {
  const since = addDays(today, 1 - SCORED_DAYS);
  const recent = days
    .filter(({ day }) => day >= since && day <= today)
    .sort((one, other) => (one.day < other.day ? 1 : -1));
  let [captures, noisy] = [0, 0];
  for (const day of recent) {
    if (captures >= WINDOW_CAPTURES) break;
    captures += day.captures;
    noisy += Math.min(day.noisy, day.captures);
  }
  return noisy / Math.max(captures, LEAST_CAPTURES);
}

/** Returns the last `length` days up to `today`, oldest first, each with the page's score at its end. */
export function scoreHistory(days: readonly PageDay[], today: string, length: number): ScoredDay[] {
  const byDay = new Map(days.map(day => [day.day, day]));
  return Array.from({ length }, (_, index) => {
    const day = addDays(today, index + 1 - length);
    return { ...(byDay.get(day) ?? { day, captures: 0, noisy: 0 }), score: flakeScore(days, day) };
  });
}

/** Returns the date this number of days later. Negative numbers give earlier dates. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
