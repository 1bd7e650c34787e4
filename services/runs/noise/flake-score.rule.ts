/** A page's captures of one day, UTC. */
export interface PageDay {
  /** As `2026-11-24`. */
  day: string;
  captures: number;
  /** Those of them that were noise: unstable, retried, changed in a null rerun, or rejected as noise. */
  noisy: number;
}

/** A day with the page's score at its end. */
export interface ScoredDay extends PageDay {
  score: number;
}

/** Older captures say little about the page as it is now. */
export const SCORED_DAYS = 30;
/** Enough for a score to whole percents. A day counts as a whole, so that a window may hold more. */
const WINDOW_CAPTURES = 100;
/** A page with fewer captures is scored as if the missing ones were clean: one noisy capture of one proves little. */
const LEAST_CAPTURES = 10;
const DAY_MS = 24 * 3_600_000;

/**
 * Returns the share of a page's recent captures that were noise, 0–1. Recent are those of the 30 days that end with
 * `today`, from the newest day back until 100 captures are reached.
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

/** Returns the last `length` days up to `today`, oldest first, each with the score that the page had at its end. */
export function scoreHistory(days: readonly PageDay[], today: string, length: number): ScoredDay[] {
  const byDay = new Map(days.map(day => [day.day, day]));
  return Array.from({ length }, (_, index) => {
    const day = addDays(today, index + 1 - length);
    return { ...(byDay.get(day) ?? { day, captures: 0, noisy: 0 }), score: flakeScore(days, day) };
  });
}

/** Returns the day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
