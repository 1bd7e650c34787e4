import { CommandError } from "../terminal.ts";

const HOUR_MS = 3_600_000;
const UNITS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS } as const;

/** Whether an entry is kept. @param newerOnes entries of the same URL that are newer */
export type Keeps = (at: Date, newerOnes: number) => boolean;

/**
 * What to keep: `30d`, `12h` or `4w` for what is no older, `500` for so many of each URL.
 * @throws CommandError for another text
 */
export function pruneRule(text: string): (now: Date) => Keeps {
  const [, amount = "", unit = ""] = /^\s*(\d{1,7})\s*([hdw]?)\s*$/.exec(text) ?? [];
  if (amount === "")
    throw new CommandError(
      "usage",
      `--prune says what to keep: 30d for the last 30 days (h hours, d days, w weeks), or 500 for so many entries of each URL; "${text}" is neither.`,
    );
  const kept = Number(amount);
  if (unit !== "h" && unit !== "d" && unit !== "w") return () => (_at, newerOnes) => newerOnes < kept;
  return now => at => now.getTime() - at.getTime() <= kept * UNITS[unit];
}
