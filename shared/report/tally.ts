import { type DisplayStatus, displayStatusOf, type Judged } from "./standing.ts";

/** A run's screenshots, counted by how they count for their reader. */
export interface Tally {
  standings: Partial<Record<DisplayStatus, number>>;
  /** The minor changes among them. They decide the conclusion only when one is rejected. */
  minor: Partial<Record<DisplayStatus, number>>;
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
    const standing = displayStatusOf(shot);
    standings[standing] = (standings[standing] ?? 0) + 1;
  }
  return standings;
}

/** Returns how many screenshots there are. */
export function sizeOf({ standings }: Pick<Tally, "standings">): number {
  return Object.values(standings).reduce((sum, size) => sum + size, 0);
}
