import type { MaintenanceSchedule } from "../../../shared/contracts/monitors/maintenance.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A day earlier, and a week and a day later, in any time zone. */
const SEARCHED_DAYS = { before: 2, after: 9 };

/** One time during which a window applies. */
export interface Occurrence {
  from: Date;
  until: Date;
}

/** Returns the occurrence that ends next after a time. Null if there is none anymore. */
export function nextOccurrence(schedule: MaintenanceSchedule, after: Date): Occurrence | null {
  if (schedule.kind === "once") {
    const only = { from: new Date(schedule.from), until: new Date(schedule.until) };
    return only.until > after ? only : null;
  }
  const today = Math.floor(after.getTime() / DAY_MS);
  const days = SEARCHED_DAYS.before + SEARCHED_DAYS.after;
  const found = Array.from({ length: days }, (_, index) =>
    onDay(schedule, today - SEARCHED_DAYS.before + index),
  );
  return found.find(occurrence => occurrence !== null && occurrence.until > after) ?? null;
}

/** Returns the occurrences that overlap a period, oldest first. */
export function occurrencesBetween(schedule: MaintenanceSchedule, from: Date, until: Date): Occurrence[] {
  const found: Occurrence[] = [];
  let after = from;
  for (;;) {
    const next = nextOccurrence(schedule, after);
    if (next === null || next.from >= until) return found;
    found.push(next);
    after = next.until;
  }
}

type Weekly = Extract<MaintenanceSchedule, { kind: "weekly" }>;

/** Returns the occurrence that starts on a calendar day of the window's time zone. @param day days since 1970 */
function onDay({ weekdays, start, durationMinutes, timeZone }: Weekly, day: number): Occurrence | null {
  // 1970 began on a Thursday.
  if (!weekdays.includes((((day + 4) % 7) + 7) % 7)) return null;
  const [hours = 0, minutes = 0] = start.split(":").map(Number);
  const from = utcOf(day * DAY_MS + (hours * 60 + minutes) * MINUTE_MS, timeZone);
  return { from, until: new Date(from.getTime() + durationMinutes * MINUTE_MS) };
}

/**
 * Returns when a clock of a time zone shows a time. A time that the clock skips becomes the one an hour later, as with
 * most calendars. Of a time that it shows twice, the first counts.
 * @param local the shown time, as if it were UTC, ms
 */
export function utcOf(local: number, timeZone: string): Date {
  // No offset changes twice within a day.
  const [before, after] = [local - DAY_MS, local + DAY_MS].map(at => offsetMs(at, timeZone));
  const candidates = [local - (before ?? 0), local - (after ?? 0)];
  const shown = candidates.filter(at => at + offsetMs(at, timeZone) === local);
  return new Date(shown.length > 0 ? Math.min(...shown) : local - (before ?? 0));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how far a time zone is ahead of UTC at a time, ms. */
function offsetMs(at: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    });
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return shown - Math.floor(at / 1_000) * 1_000;
}
