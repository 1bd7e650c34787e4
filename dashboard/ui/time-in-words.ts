const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** `3 min. ago`, or the date when it is a day or more away. Both in ms. */
export function timeInWords(then: number, now: number): string {
  const seconds = Math.round((then - now) / 1000);
  const away = Math.abs(seconds);
  if (away < 45) return seconds <= 0 ? "just now" : "in a moment";
  if (away < 45 * 60) return AGO.format(Math.round(seconds / 60), "minute");
  if (away < 86_400) return AGO.format(Math.round(seconds / 3600), "hour");
  return DAY.format(then);
}
