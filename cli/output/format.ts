import { type Counts, formatCounts } from "../../shared/report/describe-screenshot.ts";
import { percent, percentBeside } from "../../shared/text/format.ts";
import type { CheckedScreenshot } from "../check/check-result.ts";
import { RESULT_TEXTS } from "../texts/check.ts";

/** Returns a ratio of 0–1 as a percentage; empty without a comparison. */
export const shareOf = (ratio: number | null) => (ratio === null ? "" : percent(ratio));

/** Describes in a sentence how a changed screenshot differs. */
export function describeChange({ diffRatio, threshold, regions }: CheckedScreenshot): string {
  const share = diffRatio === null ? "" : percentBeside(diffRatio, threshold);
  return RESULT_TEXTS.differs(share, threshold, regions.length);
}

/** Returns a duration as `3.2 s`, `48 s`, `4 min 12 s`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns `2 changed, 3 minor changes, 40 unchanged`, without the counts that are 0. */
export const tally = (counts: Counts) => formatCounts(counts) || RESULT_TEXTS.noScreenshots;
