import type { ReviewView } from "../contracts/review-view.ts";
import type { ReportScreenshot } from "./report-model.ts";
import { count, type Standing, standingOf } from "./words.ts";

/** A sentence with a time in it, which each page shows in its own way. */
export interface TimedWords {
  before: string;
  /** ISO 8601; null where there is nothing to say of when. */
  at: string | null;
  after: string;
}

const SAID = { approved: "approved", rejected: "rejected", dismissed: "dismissed what was said before" };

/** What was decided of a screenshot, by whom and when; null while nobody has said anything that counts. */
export function decisionInWords(shot: ReportScreenshot): (TimedWords & { standing: Standing }) | null {
  const { review, carried } = shot;
  if (review === null) return null;
  const standing = review.state === "pending" ? "pending" : standingOf(shot);
  if (standing === "carried" && carried !== null) {
    const before = `Carried: the same change was approved in ${carried.runId} by ${names(carried.by)}, `;
    return { standing, before, at: carried.at, after: "" };
  }
  if (review.state === "pending") {
    const missing = count(review.required - review.approvals, "more approval");
    const by = names(standingBy(shot, "approved").map(({ by: { name } }) => name));
    const before = `${approvalsInWords(review)}, by ${by}; waits for ${missing}.`;
    return { standing, before, at: null, after: "" };
  }
  const deciders = standingBy(shot, review.state);
  const last = deciders.at(-1);
  if (!last) return null;
  const isNoise = deciders.every(({ noise }) => noise);
  const word = review.state === "approved" ? "Approved" : `Rejected${isNoise ? " as noise" : ""}`;
  const reasons = deciders.flatMap(({ reason }) => (reason === null ? [] : [`: ${reason}`]));
  const before = `${word} by ${names(deciders.map(({ by }) => by.name))}, `;
  return { standing, before, at: last.at, after: reasons.join("") };
}

/** `1 of 2 approvals`. */
export function approvalsInWords({ approvals, required }: { approvals: number; required: number }): string {
  return `${approvals} of ${required} approvals`;
}

/** One thing that was said of a screenshot: who, when and why. */
export function reviewInWords({ verdict, by, reason, noise, at, stands }: ReviewView): TimedWords {
  const end = stands || verdict === "dismissed" ? "" : " (counts no more)";
  return {
    before: `${by.name} ${SAID[verdict]}${noise ? " as noise" : ""}, `,
    at,
    after: `${reason === null ? "" : `: ${reason}`}${end}`,
  };
}

function standingBy({ reviews }: ReportScreenshot, verdict: ReviewView["verdict"]): ReviewView[] {
  return reviews.filter(review => review.stands && review.verdict === verdict);
}

/** `ada`, `ada and bob`, `ada, bob and 3 others`. */
function names(all: string[]): string {
  const [first = "somebody", second, ...others] = all;
  if (second === undefined) return first;
  if (others.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${count(others.length, "other")}`;
}
