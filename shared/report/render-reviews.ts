import { type Html, html } from "./html.ts";
import { icon } from "./icons.ts";
import { renderTime } from "./render-time.ts";
import type { ReportScreenshot } from "./report-model.ts";
import { decisionInWords, reviewInWords, type TimedWords } from "./review-words.ts";

/** What was decided of a screenshot, by whom and when; null while nobody has said anything that counts. */
export function renderDecision(shot: ReportScreenshot): Html | null {
  const decision = decisionInWords(shot);
  if (decision === null) return null;
  const { standing } = decision;
  return html`<li data-standing="${standing}">${icon(standing)}${renderWords(decision)}</li>`;
}

/** Everything that was said of a screenshot, in its order; null where nothing was. */
export function renderReviews({ reviews }: ReportScreenshot): Html | null {
  if (reviews.length === 0) return null;
  return html`<ol class="reviews">${reviews.map(review => html`<li>${renderWords(reviewInWords(review))}</li>`)}</ol>`;
}

function renderWords({ before, at, after }: TimedWords): Html {
  return html`${before}${at === null ? null : renderTime(at)}${after}`;
}
