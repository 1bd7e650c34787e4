import { pageName } from "../../contracts/capture/screenshot-key.ts";
import { describeConclusion } from "../conclusion.ts";
import { PAGE_KEYS, VIEWER_KEYS } from "../keys.ts";
import { MARK_SCRIPTED, META_CSP, SCRIPT, STYLE } from "../page-assets.ts";
import type { ReportModel } from "../report-model.ts";
import { CARD_TEXTS, PAGE_HEADER_TEXTS } from "../texts.ts";
import { Html, html, json } from "./html.ts";
import { iconSprite } from "./icons.ts";
import { anchorOf } from "./render-card.ts";
import { renderHeader } from "./render-header.ts";
import { renderList } from "./render-list.ts";
import { renderViewer } from "./render-viewer.ts";

export { REPORT_CSP } from "../page-assets.ts";

/**
 * Renders a run's report as one HTML document, which loads only its images. Every value of the model may be
 * hostile. Send it with `REPORT_CSP`. A saved file contains the policy.
 */
export function renderReport(model: ReportModel): string {
  const { run, screenshots } = model;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${META_CSP}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${describeConclusion(model).title} · ${run.project}</title>
<script>${new Html(MARK_SCRIPTED)}</script>
<style>${new Html(STYLE)}</style>
</head>
<body>
${iconSprite()}
<a class="skip" href="#screenshots">${PAGE_HEADER_TEXTS.skip}</a>
<div class="report">
${renderHeader(model)}
<main id="screenshots">${screenshots.length > 0 ? renderList(model) : renderEmpty()}</main>
<footer class="foot">${PAGE_HEADER_TEXTS.readOnly}<kbd>?</kbd>${PAGE_HEADER_TEXTS.readOnlyKeys}</footer>
</div>
${renderViewer()}
<script type="application/json" id="report-data">${json(dataOf(model))}</script>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

/** Returns the script's data, without the images: see renderImage. */
function dataOf({ screenshots }: ReportModel) {
  const bindings = [...VIEWER_KEYS, ...PAGE_KEYS];
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
