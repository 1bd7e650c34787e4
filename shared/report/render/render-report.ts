import { pageName } from "../../contracts/capture/screenshot-key.ts";
import { describeConclusion } from "../conclusion.ts";
import { type KeyBinding, PAGE_KEYS, VIEWER_KEYS } from "../keys.ts";
import { MARK_SCRIPTED, type PageAssets, REPORT_ASSETS } from "../page-assets.ts";
import type { ReportModel } from "../report-model.ts";
import { Html, html, json } from "./html.ts";
import { iconSprite } from "./icons.ts";
import { anchorOf } from "./render-card.ts";
import { renderHeader } from "./render-header.ts";
import { renderList } from "./render-list.ts";
import { renderViewer } from "./render-viewer.ts";
import { CARD_TEXTS, PAGE_HEADER_TEXTS } from "./texts.ts";

/** Value of a report's Content-Security-Policy header. */
export const REPORT_CSP = REPORT_ASSETS.csp;

/** What a page adds to the report. */
export interface PageParts {
  assets: PageAssets;
  keys: readonly KeyBinding[];
  /** Data for its script. */
  data: object;
  /** Shown instead of the header and the list, if there are no screenshots. */
  empty: Html | null;
  /** Buttons above the header, and in the viewer. */
  pageTools: Html | null;
  viewerTools: Html | null;
  foot: string;
}

const REPORT: PageParts = {
  ...{ assets: REPORT_ASSETS, keys: [], data: {}, empty: null, pageTools: null, viewerTools: null },
  foot: PAGE_HEADER_TEXTS.readOnly,
};

/**
 * Renders a run's report as one HTML document, which loads only its images. Every value of the model may be
 * hostile. Send it with `REPORT_CSP`. A saved file contains the policy.
 */
export function renderReport(model: ReportModel): string {
  return renderPage(model, REPORT);
}

/** Renders a report with the parts of its page. */
export function renderPage(model: ReportModel, parts: PageParts): string {
  const { run, screenshots } = model;
  const { assets, empty, pageTools, viewerTools, foot } = parts;
  const keys = [...parts.keys, ...VIEWER_KEYS, ...PAGE_KEYS];
  const isEmpty = screenshots.length === 0;
  const title =
    isEmpty && empty !== null ? run.project : `${describeConclusion(model).title} · ${run.project}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${assets.metaCsp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<script>${new Html(MARK_SCRIPTED)}</script>
<style>${new Html(assets.style)}</style>
</head>
<body>
${iconSprite()}
<a class="skip" href="#screenshots">${PAGE_HEADER_TEXTS.skip}</a>
<div class="report">
${pageTools}
${isEmpty && empty !== null ? null : renderHeader(model)}
<main id="screenshots">${isEmpty ? (empty ?? renderEmpty()) : renderList(model)}</main>
<footer class="foot">${foot}<kbd>?</kbd>${PAGE_HEADER_TEXTS.readOnlyKeys}</footer>
</div>
${renderViewer(keys, viewerTools)}
<script type="application/json" id="report-data">${json({ ...parts.data, ...dataOf(model, keys) })}</script>
<script>${new Html(assets.script)}</script>
</body>
</html>
`;
  return page.markup;
}

/** Returns the script's data, without the images: see renderImage. */
function dataOf({ screenshots }: ReportModel, bindings: readonly KeyBinding[]) {
  return {
    keys: Object.fromEntries(bindings.flatMap(({ keys, act }) => keys.map(key => [key, act]))),
    screenshots: screenshots.map(shot => ({
      anchor: anchorOf(shot),
      title: `${pageName(shot)} · ${shot.viewport} px`,
      why: shot.baseline && CARD_TEXTS.baselineReason(shot.baseline.reason),
      // A side without an image has nothing to show, whatever its size.
      current: shot.images.current === null ? null : { width: shot.width, height: shot.height },
      baseline:
        shot.images.baseline === null || shot.baseline === null
          ? null
          : { width: shot.baseline.width, height: shot.baseline.height },
      regions: shot.regions,
      ignored: shot.ignored?.regions ?? [],
    })),
  };
}

function renderEmpty() {
  return html`<p class="empty">${PAGE_HEADER_TEXTS.empty}</p>`;
}
