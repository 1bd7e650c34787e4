import type { PlannedCapture } from "./corpus/plan-captures.ts";

/** The result of capturing an unchanged page again. */
export interface NullComparison {
  planned: PlannedCapture;
  isBusy: boolean;
  attempts: number;
  isStable: boolean;
  /** Null when the hash equals the baseline's. */
  difference: { pixels: number; moving: string[] } | null;
}

/** Null comparisons in numbers. */
export interface NullTally {
  comparisons: number;
  /** Differences of at least one pixel. */
  falseChanges: number;
  /** Of these, captures that were reported as stable, and as unstable. */
  stable: number;
  unstable: number;
  /** Different bytes without a changed pixel. */
  unseen: number;
  meanAttempts: number;
}

/** A page that changed by itself, at one width. */
export interface Offender {
  planned: PlannedCapture;
  falseChanges: number;
  comparisons: number;
  mostPixels: number;
  unstable: number;
  moving: string[];
}

/** Returns whether an unchanged page is reported as changed, at threshold 0. */
export function isFalseChange({ difference }: NullComparison): boolean {
  return difference !== null && difference.pixels > 0;
}

/** Counts the results of null comparisons. */
export function tallyNulls(comparisons: readonly NullComparison[]): NullTally {
  const falseOnes = comparisons.filter(isFalseChange);
  const attempts = comparisons.reduce((sum, one) => sum + one.attempts, 0);
  return {
    comparisons: comparisons.length,
    falseChanges: falseOnes.length,
    stable: falseOnes.filter(one => one.isStable).length,
    unstable: falseOnes.filter(one => !one.isStable).length,
    unseen: comparisons.filter(({ difference }) => difference?.pixels === 0).length,
    meanAttempts: comparisons.length === 0 ? Number.NaN : attempts / comparisons.length,
  };
}

/** Lists the pages with false changes, most first. */
export function offendersOf(comparisons: readonly NullComparison[]): Offender[] {
  const byCapture = Map.groupBy(comparisons, ({ planned }) => `${planned.page} ${planned.width}`);
  return [...byCapture.values()]
    .flatMap(group => {
      const falseOnes = group.filter(isFalseChange);
      const [first] = falseOnes;
      if (first === undefined) return [];
      return {
        planned: first.planned,
        falseChanges: falseOnes.length,
        comparisons: group.length,
        mostPixels: Math.max(...falseOnes.map(one => one.difference?.pixels ?? 0)),
        unstable: falseOnes.filter(one => !one.isStable).length,
        moving: [...new Set(falseOnes.flatMap(one => one.difference?.moving ?? []))],
      };
    })
    .toSorted((a, b) => b.falseChanges - a.falseChanges || b.mostPixels - a.mostPixels);
}
