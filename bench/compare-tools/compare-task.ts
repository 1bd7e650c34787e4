/** The contestants, and their messages. */

export const OURS = "vrs";
export const CONTESTANTS = [
  OURS,
  "odiff's server",
  "odiff's server without its anti-alias rule",
  "odiff one-off",
  "looks-same",
  "pixelmatch",
] as const;
export type Contestant = (typeof CONTESTANTS)[number];

export interface Task {
  baseline: string;
  current: string;
  mask: string;
}

export interface CompareResult {
  diffPixels: number;
  ms: number;
  /** Peak resident memory of the process, or of odiff's server; null when the process ends with each comparison. */
  peakMb: number | null;
}
