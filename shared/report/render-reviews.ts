import type { ReviewView } from "../contracts/review-view.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icons.ts";
import { renderTime } from "./render-time.ts";
import type { ReportScreenshot } from "./report-model.ts";
import { count, standingOf } from "./words.ts";

const SAID = { approved: "approved", rejected: "rejected", dismissed: "dismissed what was said before" };

/** What was decided of a screenshot, by whom and when; null while nobody has said anything that counts. */
export function renderDecision(shot: ReportScreenshot): Html | null {
  const { review, carried } = shot;
  if (review === null) return null;
  const standing = review.state === "pending" ? "pending" : standingOf(shot);
  const line = (words: (Html | string)[]) =>
    html`<li data-standing="${standing}">${icon(standing)}${words}</li>`;
  if (standing === "carried" && carried !== null) {
    const by = names(carried.by);
    return line([
      `Carried: the same change was approved in ${carried.runId} by ${by}, `,
      renderTime(carried.at),
    ]);
  }
  if (review.state === "pending") {
    const missing = count(review.required - review.approvals, "more approval");
    const by = names(standingBy(shot, "approved").map(({ by: { name } }) => name));
    return line([`${review.approvals} of ${review.required} approvals, by ${by}; waits for ${missing}.`]);
  }
  const deciders = standingBy(shot, review.state);
  const last = deciders.at(-1);
  if (!last) return null;
  const word = review.state === "approved" ? "Approved" : "Rejected";
  const reasons = deciders.flatMap(({ reason }) => (reason === null ? [] : [`: ${reason}`]));
  return line([`${word} by ${names(deciders.map(({ by }) => by.name))}, `, renderTime(last.at), ...reasons]);
}

/** Everything that was said of a screenshot, in its order; null where nothing was. */
export function renderReviews({ reviews }: ReportScreenshot): Html | null {
  if (reviews.length === 0) return null;
  return html`<ol class="reviews">${reviews.map(renderReview)}</ol>`;
}

function renderReview({ verdict, by, reason, at, stands }: ReviewView): Html {
  const after = stands || verdict === "dismissed" ? "" : " (counts no more)";
  return html`<li>${by.name} ${SAID[verdict]}, ${renderTime(at)}${reason === null ? "" : `: ${reason}`}${after}</li>`;
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
