import type { ReviewView } from "../contracts/reviews/review-view.ts";
import { listed } from "../text/format.ts";
import { type DisplayStatus, displayStatusOf } from "./display-status.ts";
import type { ReportScreenshot } from "./report-model.ts";
import { REVIEW_TEXTS } from "./texts.ts";

/** A sentence with a time that each page formats in its own way. */
export interface TimedSentence {
  before: string;
  /** ISO 8601; null if the sentence has no time. */
  at: string | null;
  after: string;
}

/** Returns who approved or rejected a screenshot, and when; null without a current review. */
export function describeDecision(shot: ReportScreenshot): (TimedSentence & { status: DisplayStatus }) | null {
  const { review, carried } = shot;
  if (review === null) return null;
  const status = review.state === "pending" ? "pending" : displayStatusOf(shot);
  if (status === "carried" && carried !== null) {
    const before = REVIEW_TEXTS.carried(names(carried.by), carried.runId);
    return { status, before, at: carried.at, after: "" };
  }
  if (review.state === "pending") {
    const by = names(currentReviews(shot, "approved").map(({ by: { name } }) => name));
    const missing = review.required - review.approvals;
    const before = REVIEW_TEXTS.moreNeeded(formatApprovals(review), by, missing);
    return { status, before, at: null, after: "" };
  }
  const deciders = currentReviews(shot, review.state);
  const last = deciders.at(-1);
  if (!last) return null;
  const isNoise = deciders.every(({ noise }) => noise);
  const { approvedBy, rejectedBy, rejectedAsNoiseBy } = REVIEW_TEXTS;
  const decidedBy = review.state === "approved" ? approvedBy : isNoise ? rejectedAsNoiseBy : rejectedBy;
  const reasons = deciders.flatMap(({ reason }) => (reason === null ? [] : [REVIEW_TEXTS.reason(reason)]));
  const before = decidedBy(names(deciders.map(({ by }) => by.name)));
  return { status, before, at: last.at, after: reasons.join("") };
}

/** Returns `1 of 2 approvals`. */
export function formatApprovals({ approvals, required }: { approvals: number; required: number }): string {
  return REVIEW_TEXTS.approvals(approvals, required);
}

/** Describes a review of a screenshot: by whom, when, and why. */
export function describeReview({ verdict, by, reason, noise, at, stands }: ReviewView): TimedSentence {
  const { verdicts, asNoise, noLongerCounts } = REVIEW_TEXTS;
  const end = stands || verdict === "dismissed" ? "" : noLongerCounts;
  return {
    before: REVIEW_TEXTS.decided(by.name, `${verdicts[verdict]}${noise ? asNoise : ""}`),
    at,
    after: `${reason === null ? "" : REVIEW_TEXTS.reason(reason)}${end}`,
  };
}

function currentReviews({ reviews }: ReportScreenshot, verdict: ReviewView["verdict"]): ReviewView[] {
  return reviews.filter(review => review.stands && review.verdict === verdict);
}

/** Returns `ada`, `ada and bob`, `ada, bob, and 3 others`. */
function names(all: string[]): string {
  const [first = REVIEW_TEXTS.unknownReviewer, second, ...others] = all;
  const more = others.length > 0 ? [REVIEW_TEXTS.others(others.length)] : [];
  return listed(second === undefined ? [first] : [first, second, ...more]);
}
