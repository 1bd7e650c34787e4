import type { Conclusion, RunStatus } from "../../../shared/contracts/runs/runs.ts";
import { RUN_ERRORS } from "../texts/runs.ts";

/** Numbers of a run's screenshots by status. */
export interface Tally {
  pending: number;
  unchanged: number;
  /** Unchanged screenshots with changed pixels. */
  minor: number;
  changed: number;
  new: number;
  removed: number;
  failed: number;
  /** Changed screenshots with a carried approval. */
  carried: number;
}

/** The end of a run. */
export interface Outcome {
  status: Extract<RunStatus, "completed" | "failed">;
  conclusion: Conclusion | null;
  error: string | null;
}

/** Returns the run's outcome once nothing is pending, else null. A run without any rendered page has failed. */
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

/** A failed page needs a reviewer as much as a changed one. So does a new page. */
function conclusionOf(tally: Tally): Conclusion {
  if (tally.changed - tally.carried + tally.removed + tally.failed > 0) return "changed";
  if (tally.new > 0) return "new";
  return tally.carried > 0 ? "approved" : "passed";
}

/**
 * Numbers of a completed run's reviewed screenshots. Minor changes count only if rejected, since the run can pass with
 * them.
 */
export interface ReviewTally {
  undecided: number;
  /** Approved screenshots with a carried approval. */
  approved: number;
  carried: number;
  rejected: number;
}

/** Returns the conclusion after a review. A run isn't decided before every screenshot that needs review is. */
export function concludeReview(tally: Tally, reviews: ReviewTally): Conclusion {
  if (reviews.rejected > 0) return "rejected";
  const unreviewed = conclusionOf({ ...tally, carried: reviews.carried });
  if (reviews.undecided > 0 || reviews.approved === reviews.carried) return unreviewed;
  return "approved";
}

/** Numbers of a run's screenshots by status and step. */
export interface RunTally extends Tally {
  total: number;
  captured: number;
  compared: number;
  /** Screenshots whose baseline has another rendering fingerprint. */
  otherRendering: number;
}

/** The tally of a run without screenshots. */
export const NO_TALLY: RunTally = {
  total: 0,
  captured: 0,
  compared: 0,
  otherRendering: 0,
  pending: 0,
  unchanged: 0,
  minor: 0,
  changed: 0,
  new: 0,
  removed: 0,
  failed: 0,
  carried: 0,
};
