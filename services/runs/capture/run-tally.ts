import type { Tally } from "./conclude.rule.ts";

/** A run's screenshots, counted. */
export interface RunTally extends Tally {
  total: number;
  captured: number;
  compared: number;
  /** Screenshots whose capture was not queued yet. */
  waiting: number;
  /** Compared with a baseline that a browser captured which draws differently. */
  otherRendering: number;
  /** Screenshots whose capture was queued and not heard of yet. */
  underWay: number;
}

/** The tally of a run that has no screenshots. */
export const NO_TALLY: RunTally = {
  total: 0,
  captured: 0,
  compared: 0,
  waiting: 0,
  otherRendering: 0,
  underWay: 0,
  pending: 0,
  unchanged: 0,
  minor: 0,
  changed: 0,
  new: 0,
  removed: 0,
  failed: 0,
  carried: 0,
};
