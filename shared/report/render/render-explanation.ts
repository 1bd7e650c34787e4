import { codeSpans } from "../../text/code-spans.ts";
import { describeFirstCause, describeRunCause, hasMore, leadingCauses } from "../describe-explanation.ts";
import type { ReportModel, ReportScreenshot } from "../report-model.ts";
import { EXPLANATION_TEXTS } from "../texts.ts";
import { type Html, html } from "./html.ts";

/** Renders why a screenshot changed, as a remark that opens; null if that is unknown. */
export function renderExplanation({ explanation, proof }: ReportScreenshot): Html | null {
  const first = describeFirstCause(explanation);
  if (!explanation || (first === null && explanation.accessibility.length === 0)) return null;
  const summary = first ?? EXPLANATION_TEXTS.onlyAccessibility(explanation.accessibility.length);
  const proven = proof?.status === "done" ? html`<p>${renderText(proof.text)}</p>` : null;
  if (!hasMore(explanation) && first !== null)
    return html`<li class="explanation">${renderText(first)}${proven}</li>`;
  const { causes, effects, accessibility } = explanation;
  return html`<li class="explanation"><details><summary>${renderText(summary)}</summary>${proven}${renderList(
    EXPLANATION_TEXTS.causes,
    causes.map(({ text }) => text),
  )}${renderList(EXPLANATION_TEXTS.effects, effects)}${renderList(
    EXPLANATION_TEXTS.accessibility,
    accessibility.map(({ text }) => text),
  )}</details></li>`;
}

/** Renders the causes of several changes; null if none is known. */
export function renderRunCauses({ run: { causes } }: ReportModel): Html | null {
  const leading = leadingCauses(causes);
  if (leading.length === 0) return null;
  const items = leading.map(cause => html`<li>${renderText(describeRunCause(cause))}</li>`);
  return html`<ul class="run-causes" aria-label="${EXPLANATION_TEXTS.causes}">${items}</ul>`;
}

function renderList(title: string, texts: readonly string[]): Html | null {
  if (texts.length === 0) return null;
  return html`<p class="quiet">${title}</p><ul>${texts.map(text => html`<li>${renderText(text)}</li>`)}</ul>`;
}

function renderText(text: string): Html {
  return html`${codeSpans(text).map(span => (span.isCode ? html`<code>${span.text}</code>` : span.text))}`;
}
