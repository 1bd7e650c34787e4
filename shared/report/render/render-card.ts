import type { Region } from "../../compare/comparison.ts";
import { environmentLabel, pageName } from "../../contracts/capture/screenshot-key.ts";
import { outlineOf, type Thumbnail, thumbnailOf } from "../crop.ts";
import {
  describeDifference,
  describeIgnored,
  describeInstability,
  describeSizeChange,
  formatDifference,
  formatFlakeScore,
} from "../describe-screenshot.ts";
import { displayStatusOf } from "../display-status.ts";
import type { ReportScreenshot } from "../report-model.ts";
import { INTENT_TEXTS, PRODUCTION_TEXTS, SCREENSHOT_TEXTS, STATUS_NAMES } from "../texts.ts";
import { type Html, html, renderTime } from "./html.ts";
import { icon } from "./icons.ts";
import { renderDiagnostics } from "./render-diagnostics.ts";
import { renderExplanation } from "./render-explanation.ts";
import { renderDecision, renderReviews } from "./render-reviews.ts";
import { CARD_TEXTS } from "./texts.ts";

/** Minimum height of marks, so that small changes are visible in the sliver of a long page. */
const MIN_MARK_RATIO = 0.012;

/** Returns the screenshot's part of the URL's hash, before the mode. */
export function anchorOf(shot: ReportScreenshot): string {
  return encodeURIComponent(shot.id.toWellFormed());
}

/**
 * Renders a screenshot in the list. `index` is its position in the model, which refers to its data in the
 * viewer.
 * @param reviewUrl the page of the dashboard that reviews it; null without a service
 */
export function renderCard(shot: ReportScreenshot, index: number, reviewUrl: string | null = null): Html {
  const standing = displayStatusOf(shot);
  return html`<article class="card" id="card-${index}" data-index="${index}" data-standing="${standing}" data-stable="${String(shot.stable)}" data-environment="${environmentLabel(shot.environment)}" data-viewport="${shot.viewport}">
<a class="card-open" href="#${anchorOf(shot)}/side">${renderThumbnail(shot)}
<h3 class="route">${pageName(shot)}</h3>
<p class="card-line"><span class="status" data-standing="${standing}">${icon(standing)}${STATUS_NAMES[standing]}</span> <span class="viewport">${shot.viewport} px</span> <span>${describeDifference(shot)}</span>${renderFlakiness(shot)}</p></a>
${reviewUrl === null ? null : html`<p class="card-review"><a href="${reviewUrl}">${CARD_TEXTS.review}<span class="hidden"> ${pageName(shot)}, ${shot.viewport} px</span></a></p>`}
${renderRemarks(shot)}
<div class="plain">${renderFacts(shot)}<div class="shots">${renderImage(shot, "baseline")}${renderImage(shot, "current")}${renderImage(shot, "diff")}</div></div>
</article>`;
}

function renderFlakiness(shot: ReportScreenshot): Html | null {
  const words = formatFlakeScore(shot);
  return words === null ? null : html` <span class="flaky" data-standing="unstable">${words}</span>`;
}

function renderThumbnail(shot: ReportScreenshot): Html | null {
  const thumbnail = thumbnailOf(shot);
  if (thumbnail === null) return null;
  const { crop, side, width, height } = thumbnail;
  return html`<span class="thumb" data-side="${side}" aria-hidden="true"><svg class="crop" viewBox="${crop.x} ${crop.y} ${crop.width} ${crop.height}" preserveAspectRatio="xMidYMin slice"><image width="${width}" height="${height}"/>${shot.regions.filter(region => overlaps(region, crop)).map(region => renderOutline(outlineOf(region, crop)))}</svg><svg class="sliver" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMin meet"><rect class="page" width="${width}" height="${height}"/><image width="${width}" height="${height}"/>${shot.regions.map(region => renderMark(region, thumbnail))}</svg></span>`;
}

function renderOutline({ x, y, width, height }: Region): Html {
  return html`<rect class="outline" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
}

function overlaps(a: Region, b: Region): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function renderMark({ y, height }: Region, page: Thumbnail): Html {
  return html`<rect class="mark" x="0" y="${y}" width="${page.width}" height="${Math.max(height, page.height * MIN_MARK_RATIO)}"/>`;
}

/** Renders remarks that matter for trusting the screenshot. */
function renderRemarks(shot: ReportScreenshot): Html | null {
  const size = describeSizeChange(shot);
  const ignored = describeIgnored(shot);
  const remarks = [
    shot.error === null ? null : html`<li data-standing="failed">${shot.error}</li>`,
    renderFailure(shot),
    renderExplanation(shot),
    shot.intended === false ? html`<li>${INTENT_TEXTS.unintended}</li>` : null,
    renderProduction(shot),
    shot.stable
      ? null
      : html`<li data-standing="unstable">${icon("unstable")}${describeInstability(shot)}</li>`,
    size === null ? null : html`<li>${SCREENSHOT_TEXTS.size(size)}</li>`,
    ignored === null ? null : html`<li>${ignored}</li>`,
    renderDecision(shot),
    ...shot.notes.map(note => html`<li>${note}</li>`),
    renderDiagnostics(shot),
  ].filter(remark => remark !== null);
  return remarks.length > 0 ? html`<ul class="remarks">${remarks}</ul>` : null;
}

/** Renders since when production has the change. The link opens the monitor in the dashboard. */
function renderProduction({ production }: ReportScreenshot): Html | null {
  if (!production) return null;
  const { link, since } = production;
  return html`<li class="production"><a href="${link}">${PRODUCTION_TEXTS.sinceBefore}${renderTime(since)}</a></li>`;
}

/** Renders the page at its failure. */
function renderFailure(shot: ReportScreenshot): Html | null {
  const { failure } = shot.images;
  if (!failure) return null;
  const alt = CARD_TEXTS.failureOf(pageName(shot), shot.viewport);
  return html`<li class="failure"><img src="${failure}" alt="${alt}" loading="lazy" decoding="async"></li>`;
}

function renderFacts(shot: ReportScreenshot): Html {
  const size = shot.width === null ? null : `${shot.width} × ${shot.height} px`;
  const { baseline } = shot;
  const names = CARD_TEXTS.facts;
  const facts: [string, Html | string | null][] = [
    [names.describeDifference, shot.diffRatio === null ? null : formatDifference(shot)],
    [names.baseline, baseline ? `${baseline.reason} (${baseline.runId})` : CARD_TEXTS.noBaseline],
    [names.size, size],
    [names.baselineSize, baseline ? `${baseline.width} × ${baseline.height} px` : null],
    [names.stable, shot.width === null ? null : stability(shot)],
    [names.browser, shot.browser],
    [names.reviews, renderReviews(shot)],
  ];
  const rows = facts.map(([name, value]) =>
    value === null ? null : html`<dt>${name}</dt><dd>${value}</dd>`,
  );
  return html`<dl class="facts">${rows}</dl>`;
}

function stability(shot: ReportScreenshot): string {
  return shot.stable ? CARD_TEXTS.stable(shot.attempts) : CARD_TEXTS.notStable(shot.attempts);
}

/** Renders the only copy of each image's URL, so that a saved file holds every image once. */
function renderImage(shot: ReportScreenshot, kind: keyof typeof CARD_TEXTS.images): Html | null {
  const url = shot.images[kind];
  if (url === null) return null;
  const size = sizeOf(shot, kind);
  const caption = CARD_TEXTS.images[kind];
  const alt = CARD_TEXTS.imageOf(caption, pageName(shot), shot.viewport);
  return html`<figure><figcaption>${caption}</figcaption><div class="shot" tabindex="0" role="region" aria-label="${alt}"><img data-kind="${kind}" src="${url}" width="${size.width}" height="${size.height}" alt="${alt}" loading="lazy" decoding="async"></div></figure>`;
}

function sizeOf(
  shot: ReportScreenshot,
  kind: keyof typeof CARD_TEXTS.images,
): { width: number; height: number } {
  const { baseline } = shot;
  const current = { width: shot.width ?? shot.viewport, height: shot.height ?? 0 };
  if (kind === "current" || baseline === null) return current;
  if (kind === "baseline") return baseline;
  return {
    width: Math.max(current.width, baseline.width),
    height: Math.max(current.height, baseline.height),
  };
}
