import { type Judged, type Standing, standingOf } from "./words.ts";

/** A run's screenshots, counted by what they count as for their reader. */
export interface Tally {
  standings: Partial<Record<Standing, number>>;
  /** The minor changes among them, which never decide what the run comes to unless one is rejected. */
  minor: Partial<Record<Standing, number>>;
  /** Those that could not be captured, rejected or not. */
  failed: number;
}

export function tallyOf(screenshots: readonly Judged[]): Tally {
  return {
    standings: standingsOf(screenshots),
    minor: standingsOf(screenshots.filter(({ minor }) => minor)),
    failed: screenshots.filter(({ status }) => status === "failed").length,
  };
}

function standingsOf(screenshots: readonly Judged[]): Tally["standings"] {
  const standings: Tally["standings"] = {};
  for (const shot of screenshots) {
    const standing = standingOf(shot);
    standings[standing] = (standings[standing] ?? 0) + 1;
  }
  return standings;
}

/** How many they are. */
export function sizeOf({ standings }: Pick<Tally, "standings">): number {
  return Object.values(standings).reduce((sum, size) => sum + size, 0);
}
