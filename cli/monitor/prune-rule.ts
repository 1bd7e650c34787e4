import { CommandError } from "../terminal.ts";
import { MONITOR_ERRORS } from "../texts/monitor.ts";

const HOUR_MS = 3_600_000;
const UNITS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS } as const;

/** Returns whether an entry is kept. @param newerOnes number of newer entries of the same URL */
export type Keeps = (at: Date, newerOnes: number) => boolean;

/**
 * Reads what to keep: `30d`, `12h` or `4w` for an age, `500` for a number of entries of each URL.
 * @throws CommandError for another text
 */
export function pruneRule(text: string): (now: Date) => Keeps {
  const [, amount = "", unit = ""] = /^\s*(\d{1,7})\s*([hdw]?)\s*$/.exec(text) ?? [];
  if (amount === "") throw new CommandError("usage", MONITOR_ERRORS.prune(text));
  const kept = Number(amount);
  if (unit !== "h" && unit !== "d" && unit !== "w") return () => (_at, newerOnes) => newerOnes < kept;
  return now => at => now.getTime() - at.getTime() <= kept * UNITS[unit];
}
