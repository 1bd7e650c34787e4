import { LIVE_KEYS } from "../keys.ts";
import { loadLiveAssets } from "../page-assets.ts";
import type { ReportModel } from "../report-model.ts";
import { html } from "./html.ts";
import { icon } from "./icons.ts";
import { renderPage } from "./render-report.ts";
import { LIVE_TEXTS as TEXTS } from "./texts.ts";

const ASSETS = loadLiveAssets();

/** Value of the live page's Content-Security-Policy header. */
export const LIVE_CSP = ASSETS.csp;

/**
 * Renders the page of `vrs dev`: a report that updates itself, and approves into the baselines.
 * @param revision number of the result that it shows
 */
export function renderLivePage(model: ReportModel, revision: number): string {
  const approve = html`<button type="button" class="approve" data-act="approve" aria-keyshortcuts="A">${icon("approved")}${TEXTS.approve} <kbd>A</kbd></button>`;
  return renderPage(model, {
    assets: ASSETS,
    keys: LIVE_KEYS,
    data: { revision },
    pageTools: html`<div class="live"><p id="live" role="status"></p><button type="button" class="approve" data-act="approve-all">${icon("approved")}${TEXTS.approveAll}</button></div>`,
    viewerTools: approve,
    empty: html`<div class="waiting"><h1>${TEXTS.waiting}</h1><p>${TEXTS.runTests}</p><pre><code>npx playwright test</code></pre><p>${TEXTS.baselines}</p></div>`,
    foot: TEXTS.foot,
  });
}
