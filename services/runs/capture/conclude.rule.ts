import type { Conclusion, RunStatus } from "../../../shared/contracts/runs/runs.ts";
import { RUN_ERRORS } from "../texts.ts";

/** A run's screenshots, counted by status. */
export interface Tally {
  pending: number;
  unchanged: number;
  /** Of the unchanged ones, those with changed pixels. */
  minor: number;
  changed: number;
  new: number;
  removed: number;
  failed: number;
  /** Of the changed ones, those that an approval carried to. */
  carried: number;
}

/** How a run ended. */
export interface Outcome {
  status: Extract<RunStatus, "completed" | "failed">;
  conclusion: Conclusion | null;
  error: string | null;
}

/** The run's outcome once nothing is pending, else null. A run of which nothing could be rendered has failed. */
export function conclude(tally: Tally): Outcome | null {
  if (tally.pending > 0) return null;
  const rendered = tally.unchanged + tally.changed + tally.new;
  if (rendered === 0 && tally.failed > 0) {
    return {
      status: "failed",
      conclusion: null,
      error: RUN_ERRORS.nothingRendered,
    };
  }
  return { status: "completed", conclusion: conclusionOf(tally), error: null };
}

/** A page that could not be rendered needs a reviewer as much as one that changed; so does one that nobody has seen yet. */
function conclusionOf(tally: Tally): Conclusion {
  if (tally.changed - tally.carried + tally.removed + tally.failed > 0) return "changed";
  if (tally.new > 0) return "new";
  return tally.carried > 0 ? "approved" : "passed";
}

/** The reviewed screenshots of a completed run, counted. Of minor changes only rejected ones: the run may pass with others. */
export interface ReviewTally {
  undecided: number;
  /** Those that an approval carried to among them. */
  approved: number;
  carried: number;
  rejected: number;
}

/** The conclusion after a review; a run is not decided before every screenshot in question is. */
export function concludeReview(tally: Tally, reviews: ReviewTally): Conclusion {
  if (reviews.rejected > 0) return "rejected";
  const unreviewed = conclusionOf({ ...tally, carried: reviews.carried });
  if (reviews.undecided > 0 || reviews.approved === reviews.carried) return unreviewed;
  return "approved";
}

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
