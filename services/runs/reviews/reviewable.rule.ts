import { differingPixels } from "../../../shared/compare/comparison.ts";
import { isMinor } from "../../../shared/report/display-status.ts";
import type { ReviewTally } from "../capture/conclude.rule.ts";
import type { Screenshot } from "../screenshot.entity.ts";

type Compared = Pick<Screenshot, "status" | "diffPixels" | "faintPixels">;

/** Statuses that keep a run from passing until a reviewer decides. */
const IN_QUESTION: ReadonlySet<Screenshot["status"]> = new Set(["changed", "new", "removed"]);

/** Returns whether a screenshot is a minor change: some of its pixels differ, but within the threshold. */
export const isMinorChange = ({ status, ...pixels }: Compared): boolean =>
  isMinor(status === "unchanged", differingPixels(pixels));

/** Returns whether the run waits for a decision on this screenshot. */
export const needsReview = ({ status }: Compared): boolean => IN_QUESTION.has(status);

/** Returns whether a reviewer can approve the screenshot. A failed page has no pixels to approve. */
export const isApprovable = (screenshot: Compared): boolean =>
  needsReview(screenshot) || isMinorChange(screenshot);

/** Returns a run's screenshots counted by their reviews. */
export function tallyReviews(
  screenshots: (Compared & Pick<Screenshot, "review" | "carriedRunId">)[],
): ReviewTally {
  const deciding = screenshots.filter(screenshot => !isMinorChange(screenshot));
  const undecided = deciding.filter(screenshot =>
    screenshot.review === null ? needsReview(screenshot) : screenshot.review === "pending",
  );
  const approved = deciding.filter(({ review }) => review === "approved");
  return {
    undecided: undecided.length,
    approved: approved.length,
    carried: approved.filter(({ carriedRunId }) => carriedRunId !== null).length,
    rejected: screenshots.filter(({ review }) => review === "rejected").length,
  };
}
