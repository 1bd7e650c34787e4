import {
  type Counts,
  count,
  countsInWords,
  limitInWords,
  percent,
  percentBeside,
} from "../../shared/report/words.ts";
import type { CheckedShot } from "../check/check-result.ts";

/** A ratio of 0–1 as a percentage; nothing where nothing was compared. */
export const shareOf = (ratio: number | null) => (ratio === null ? "" : percent(ratio));

/** How a changed screenshot differs, in a sentence. */
export function differsInWords({ diffRatio, threshold, regions }: CheckedShot): string {
  const share = diffRatio === null ? "" : percentBeside(diffRatio, threshold);
  return `${share} of its pixels differ, in ${count(regions.length, "region")}; ${limitInWords(threshold)} may.`;
}

/** Time as `3.2 s`, `48 s`, `4 min 12 s`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `2 changed, 3 minor changes, 40 unchanged`: what there is, and nothing of what there is not. */
export const tally = (counts: Counts) => countsInWords(counts) || "no screenshots";
