/** The language of the interface; a translation has its own. */
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

/** `2,000`. */
export const number = (n: number): string => NUMBER.format(n);

/** `1 page`, `2,000 pages`. */
export function plural(n: number, one: string, other = `${one}s`): string {
  return `${number(n)} ${form(n, one, other)}`;
}

/** The form of a word that goes with a number. */
export function form(n: number, one: string, other: string): string {
  return PLURALS.select(n) === "one" ? one : other;
}

/** `a, b, and c`. */
export const list = (items: readonly string[]): string => LIST.format(items);

/** `71%`, of a ratio of 0–1 or more. */
export const wholePercent = (ratio: number): string => PERCENT.format(ratio);

/** `99.99%`: never rounded up, so that 100% means all. */
export const percentAtMost = (ratio: number): string => PERCENT_BELOW.format(ratio);

/** `300 ms`, `1.2 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
