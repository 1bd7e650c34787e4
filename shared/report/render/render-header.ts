import { isArchiveUrl } from "../../contracts/builds/archive-url.ts";
import { environmentLabel } from "../../contracts/capture/screenshot-key.ts";
import { isEnded } from "../../contracts/runs/run-outcomes.ts";
import { describeWarning } from "../../contracts/runs/run-warning.ts";
import { elapsed, formatThreshold } from "../../text/format.ts";
import { describeConclusion } from "../conclusion.ts";
import { DISPLAY_STATUSES, type DisplayStatus, displayStatusOf } from "../display-status.ts";
import type { ReportModel } from "../report-model.ts";
import { sharedNotes } from "../shared-notes.rule.ts";
import { SCREENSHOT_TEXTS, STATUS_NAMES } from "../texts.ts";
import { type Html, html, renderTime } from "./html.ts";
import { icon } from "./icons.ts";
import { renderRunCauses } from "./render-explanation.ts";
import { PAGE_HEADER_TEXTS as TEXTS } from "./texts.ts";

/** Renders the run, its conclusion, and the counts, which are the filter too. */
export function renderHeader(model: ReportModel): Html {
  const conclusion = describeConclusion(model);
  const tally = Map.groupBy(model.screenshots, displayStatusOf);
  const counts = DISPLAY_STATUSES.map(standing => ({ standing, count: tally.get(standing)?.length ?? 0 }));
  const present = counts.filter(each => each.count > 0);
  return html`<header class="run">
<div class="run-top"><p class="project">${model.run.project}</p>${renderDownload(model.downloadUrl)}</div>
<h1><span class="verdict" data-standing="${conclusion.status}">${icon(conclusion.status)}</span>${conclusion.title}</h1>
<p class="detail">${conclusion.detail}</p>
${renderRunCauses(model)}
${renderWarnings(model)}
${renderProgress(model)}
${renderBar(present)}
${renderRunFacts(model)}
</header>
${renderFilters(model, present)}`;
}

function renderDownload(url: string | null): Html | null {
  return url === null ? null : html`<a class="button download" href="${url}" download>${TEXTS.download}</a>`;
}

/** Renders the warnings of the run, and the notes that many of its screenshots have. */
function renderWarnings({ run: { warnings = [] }, screenshots }: ReportModel): Html | null {
  const notes = sharedNotes(screenshots).map(shared =>
    SCREENSHOT_TEXTS.sharedNote(shared.note, shared.screenshots),
  );
  const texts = [...warnings.map(describeWarning), ...notes];
  if (texts.length === 0) return null;
  const items = texts.map(text => html`<li>${text}</li>`);
  return html`<ul class="run-warnings" aria-label="Warnings">${items}</ul>`;
}

function renderProgress({ run }: ReportModel): Html | null {
  if (isEnded(run.status)) return null;
  return html`<p class="progress">${TEXTS.notLive} <a href="">${TEXTS.reload}</a>${TEXTS.reloadWhy}</p>`;
}

interface Count {
  standing: DisplayStatus;
  count: number;
}

function renderBar(counts: Count[]): Html | null {
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  if (total === 0) return null;
  let x = 0;
  const segments = counts.map(each => {
    const segment = html`<rect data-standing="${each.standing}" x="${x}" y="0" width="${each.count}" height="1"/>`;
    x += each.count;
    return segment;
  });
  const label = counts.map(each => `${each.count} ${each.standing}`).join(", ");
  return html`<svg class="bar" viewBox="0 0 ${total} 1" preserveAspectRatio="none" role="img" aria-label="${label}">${segments}</svg>`;
}

function renderRunFacts({ run }: ReportModel): Html {
  const { scm } = run;
  const took = run.completedAt === null ? null : elapsed(run.createdAt, run.completedAt);
  const names = TEXTS.facts;
  const facts: [string, Html | string | null][] = [
    [names.site, run.url === "" ? null : renderAddress(run.url)],
    [names.repository, scm ? `${scm.owner}/${scm.repo}` : null],
    [names.pullRequest, scm?.pr ? `#${scm.pr}` : null],
    [names.branch, run.branch],
    [names.commit, scm ? html`<code title="${scm.sha}">${scm.sha.slice(0, 7)}</code>` : null],
    [names.started, renderTime(run.createdAt)],
    [names.duration, took],
    [names.threshold, TEXTS.ofPixels(formatThreshold(run.threshold))],
    [names.run, run.id === null ? null : html`<code>${run.id}</code>`],
    [names.madeWith, run.madeWith ?? null],
  ];
  const rows = facts.map(([name, value]) =>
    value === null ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  );
  return html`<dl class="run-facts">${rows}</dl>`;
}

/** Only web addresses become links. Others, such as `javascript:`, stay text. */
function renderAddress(url: string): Html | string {
  if (isArchiveUrl(url)) return TEXTS.archive;
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isWeb ? html`<a href="${url}" rel="noopener noreferrer">${url}</a>` : url;
}

/** Renders the filters. They are hidden without a script, which they need. */
function renderFilters({ screenshots }: ReportModel, counts: Count[]): Html | null {
  if (screenshots.length === 0) return null;
  const unstable = screenshots.filter(shot => !shot.stable).length;
  const viewports = [...new Set(screenshots.map(shot => shot.viewport))].sort((a, b) => a - b);
  const environments = [...new Set(screenshots.map(({ environment }) => environmentLabel(environment)))];
  return html`<search class="filters" aria-label="${TEXTS.filters}">
<label class="find">${icon("search")}<span class="hidden">${TEXTS.find}</span><input id="find" type="search" placeholder="${TEXTS.find}" autocomplete="off" aria-keyshortcuts="/"></label>
<div class="chips" role="group" aria-label="${TEXTS.byStatus}" id="filter-standing">${counts.map(each => html`<button type="button" class="chip" aria-pressed="false" data-filter="standing" value="${each.standing}"><span class="status" data-standing="${each.standing}">${icon(each.standing)}${STATUS_NAMES[each.standing]}</span> ${each.count}</button>`)}${
    unstable === 0
      ? null
      : html`<button type="button" class="chip" aria-pressed="false" data-filter="stable" value="false"><span class="status" data-standing="unstable">${icon("unstable")}${STATUS_NAMES.unstable}</span> ${unstable}</button>`
  }</div>
${viewports.length < 2 ? null : html`<div class="chips" role="group" aria-label="${TEXTS.byWidth}">${viewports.map(width => html`<button type="button" class="chip" aria-pressed="false" data-filter="viewport" value="${width}">${width} px</button>`)}</div>`}
${environments.length < 2 ? null : html`<div class="chips" role="group" aria-label="${TEXTS.byEnvironment}">${environments.map(name => html`<button type="button" class="chip" aria-pressed="false" data-filter="environment" value="${name}">${name}</button>`)}</div>`}
<output class="found" id="found"></output>
</search>`;
}
