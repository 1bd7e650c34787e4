import { type DisplayFields, type DisplayStatus, displayStatusOf } from "./display-status.ts";

/** Counts of a run's screenshots by display status. */
export interface Tally {
  standings: Partial<Record<DisplayStatus, number>>;
  /** Minor changes among them. They only affect the conclusion if one is rejected. */
  minor: Partial<Record<DisplayStatus, number>>;
  /** Screenshots without a capture, rejected or not. */
  failed: number;
}

export function tallyOf(screenshots: readonly DisplayFields[]): Tally {
  return {
    standings: standingsOf(screenshots),
    minor: standingsOf(screenshots.filter(({ minor }) => minor)),
    failed: screenshots.filter(({ status }) => status === "failed").length,
  };
}

function standingsOf(screenshots: readonly DisplayFields[]): Tally["standings"] {
  const standings: Tally["standings"] = {};
  for (const shot of screenshots) {
    const standing = displayStatusOf(shot);
    standings[standing] = (standings[standing] ?? 0) + 1;
  }
  return standings;
}

/** Returns the number of screenshots. */
export function sizeOf({ standings }: Pick<Tally, "standings">): number {
  return Object.values(standings).reduce((sum, size) => sum + size, 0);
}
