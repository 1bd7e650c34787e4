import { describeDecision, describeReview, type TimedSentence } from "../describe-review.ts";
import type { ReportScreenshot } from "../report-model.ts";
import { type Html, html, renderTime } from "./html.ts";
import { icon } from "./icons.ts";

/** Renders who approved or rejected a screenshot, and when; null without a current review. */
export function renderDecision(shot: ReportScreenshot): Html | null {
  const decision = describeDecision(shot);
  if (decision === null) return null;
  const { status } = decision;
  return html`<li data-standing="${status}">${icon(status)}${renderWords(decision)}</li>`;
}

/** Renders all reviews of a screenshot in order; null without any. */
export function renderReviews({ reviews }: ReportScreenshot): Html | null {
  if (reviews.length === 0) return null;
  return html`<ol class="reviews">${reviews.map(review => html`<li>${renderWords(describeReview(review))}</li>`)}</ol>`;
}

function renderWords({ before, at, after }: TimedSentence): Html {
  return html`${before}${at === null ? null : renderTime(at)}${after}`;
}
