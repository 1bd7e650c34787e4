/** Who compares, what they are sent and what they answer. */

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

export interface Answer {
  diffPixels: number;
  ms: number;
  /** Most memory that the process (odiff: its server) ever had resident; null where it ends with each comparison. */
  peakMb: number | null;
}
