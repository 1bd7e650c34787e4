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
