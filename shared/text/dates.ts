const DATE = { year: "numeric", month: "long", day: "numeric", timeZone: "UTC" } as const;
const CLOCK = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
const DAY = new Intl.DateTimeFormat("en-US", DATE);
const TIME = new Intl.DateTimeFormat("en-US", { ...DATE, ...CLOCK });
const TIME_OF_DAY = new Intl.DateTimeFormat("en-US", { ...CLOCK, second: "2-digit" });

/** Formats a date for mails and texts, in UTC: `December 1, 2026`. */
export function dateInWords(at: string | Date): string {
  return formatted(DAY, at);
}

/** Formats a time for mails and texts: `December 1, 2026 at 2:30 PM UTC`. */
export function timeInWords(at: string | Date): string {
  return formatted(TIME, at);
}

/** Formats a time of day in the machine's time zone: `2:30:15 PM UTC`. */
export function timeOfDay(at: Date): string {
  return formatted(TIME_OF_DAY, at);
}

/** Formats a time. Other texts stay as they are. */
function formatted(format: Intl.DateTimeFormat, at: string | Date): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : format.format(date);
}
