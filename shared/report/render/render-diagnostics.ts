import {
  countDropped,
  type DiagnosticsEntry,
  describeDiagnostics,
  listDiagnostics,
} from "../describe-diagnostics.ts";
import type { ReportScreenshot } from "../report-model.ts";
import { DIAGNOSTICS_TEXTS } from "../texts.ts";
import { type Html, html } from "./html.ts";

/** Renders what went wrong in the page, as a remark that opens; null if nothing. */
export function renderDiagnostics({ diagnostics }: ReportScreenshot): Html | null {
  if (!diagnostics) return null;
  const dropped = countDropped(diagnostics);
  const more = dropped > 0 ? html`<li>${DIAGNOSTICS_TEXTS.more(dropped)}</li>` : null;
  return html`<li class="diagnostics"><details><summary>${describeDiagnostics(diagnostics)}</summary><ul>${listDiagnostics(diagnostics).map(renderEntry)}${more}</ul></details></li>`;
}

function renderEntry({ kind, text, detail, times, isNew }: DiagnosticsEntry): Html {
  const mark = isNew
    ? html` <strong title="${DIAGNOSTICS_TEXTS.isNewTitle}">${DIAGNOSTICS_TEXTS.isNew}</strong>`
    : null;
  const repeated = times > 1 ? html` · ${DIAGNOSTICS_TEXTS.times(times)}` : null;
  const place = detail === null ? null : html`<span class="quiet">${detail}</span>`;
  return html`<li><span class="quiet">${kind}${repeated}</span>${mark} <code>${text}</code> ${place}</li>`;
}
