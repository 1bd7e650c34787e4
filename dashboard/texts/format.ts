/** The locale of the dashboard. A translation has its own. */
export const LOCALE = "en-US";

const PLURALS = new Intl.PluralRules(LOCALE);
const NUMBER = new Intl.NumberFormat(LOCALE);
const LIST = new Intl.ListFormat(LOCALE);
const PERCENT = new Intl.NumberFormat(LOCALE, { style: "percent" });
const PERCENT_BELOW = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 2,
  roundingMode: "floor",
});

/** Formats as `2,000`. */
export const number = (n: number): string => NUMBER.format(n);

/** Formats as `1 page` or `2,000 pages`. */
export function plural(n: number, one: string, other = `${one}s`): string {
  return `${number(n)} ${form(n, one, other)}`;
}

/** Returns the form of a word that agrees with a number. */
export function form(n: number, one: string, other: string): string {
  return PLURALS.select(n) === "one" ? one : other;
}

/** Formats as `a, b, and c`. */
export const list = (items: readonly string[]): string => LIST.format(items);

/** Formats a ratio as `71%`. */
export const wholePercent = (ratio: number): string => PERCENT.format(ratio);

/** Formats as `99.99%`. Never rounds up, so that 100% means all. */
export const percentAtMost = (ratio: number): string => PERCENT_BELOW.format(ratio);

/** Formats as `300 ms` or `1.2 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const CLOCK = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
const DATE = { year: "numeric", month: "long", day: "numeric" } as const;
const SHORT = new Intl.DateTimeFormat(LOCALE, { ...DATE, month: "short", ...CLOCK });
const MOMENT = new Intl.DateTimeFormat(LOCALE, { ...DATE, ...CLOCK });
const EXACT = new Intl.DateTimeFormat(LOCALE, { ...DATE, ...CLOCK, second: "2-digit" });
const DAY = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric" });
const HOUR = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DAY_IN_UTC = new Intl.DateTimeFormat(LOCALE, { dateStyle: "long", timeZone: "UTC" });
const MONTH_IN_UTC = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });
const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto", style: "short" });

/** Formats as `November 9, 2026 at 9:00 AM UTC`, in the reader's time zone. */
export const moment = (date: Date): string => MOMENT.format(date);

/** Formats as `Nov 9, 2026, 9:00 AM UTC`, for columns of tables and lists. */
export const shortMoment = (date: Date): string => SHORT.format(date);

/** Formats as `November 9, 2026 at 9:00:05 AM UTC`. */
export const exactMoment = (date: Date): string => EXACT.format(date);

/** Formats as `Nov 9`, for the axis of a chart. */
export const dayOfAxis = (date: Date): string => DAY.format(date);

/** Formats as `09:00`, for the axis of a chart. */
export const hourOfAxis = (date: Date): string => HOUR.format(date);

/** Formats as `November 2026`, in UTC. */
export const monthInUtc = (iso: string): string => MONTH_IN_UTC.format(new Date(iso));

/** Formats as `November 9, 2026`. Plans and months are in UTC. */
export const dayInUtc = (iso: string): string => DAY_IN_UTC.format(new Date(iso));

/** Formats as `3 min. ago`, or as a date if a day or more away. Both parameters are in ms. */
export function relativeTime(then: number, now: number): string {
  const seconds = Math.round((then - now) / 1000);
  const away = Math.abs(seconds);
  if (away < 45) return seconds <= 0 ? "just now" : "in a moment";
  if (away < 45 * 60) return AGO.format(Math.round(seconds / 60), "minute");
  if (away < 86_400) return AGO.format(Math.round(seconds / 3600), "hour");
  return shortMoment(new Date(then));
}

/** Returns `example.com`, with the path if there is one. */
export function formatHost(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname === "/" ? "" : pathname}`;
  } catch {
    return url;
  }
}
