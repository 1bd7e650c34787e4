/** Periods of a monitor's chart. */
export const RANGES = [{ days: 1 }, { days: 7 }, { days: 30 }, { days: 90 }] as const;

const USUAL_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Returns the initial period of a monitor's chart, no longer than the monitor's age. @param createdAt ISO
 * 8601
 */
export function openingDays(createdAt: string, now: number): number {
  const ageDays = (now - Date.parse(createdAt)) / DAY_MS;
  const holding = RANGES.find(({ days }) => ageDays <= days)?.days ?? USUAL_DAYS;
  return Math.min(USUAL_DAYS, holding);
}
