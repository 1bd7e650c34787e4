import { FOLDED, groupScreenshots, headingOf, type ScreenshotGroup } from "../group-screenshots.ts";
import type { ReportModel, ReportScreenshot } from "../report-model.ts";
import { sharedNotes } from "../shared-notes.rule.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./render-card.ts";
import { CARD_TEXTS } from "./texts.ts";

/** Renders all screenshots by group. Groups without review are folded. */
export function renderList({ run, screenshots, downloadUrl }: ReportModel): Html {
  const indexes = new Map(screenshots.map((shot, index) => [shot, index]));
  const shared = new Set(sharedNotes(screenshots).map(({ note }) => note));
  // A saved file has no service beside it.
  const reviewOf = ({ id }: ReportScreenshot) =>
    downloadUrl === null || run.id === null
      ? null
      : `../../review/${encodeURIComponent(run.id)}?shot=${encodeURIComponent(id)}`;
  const render = (shot: ReportScreenshot) => {
    const notes = shot.notes.filter(note => !shared.has(note));
    return renderCard({ ...shot, notes }, indexes.get(shot) ?? 0, reviewOf(shot));
  };
  return html`${groupScreenshots(screenshots).map(group => renderGroup(group, run.kind, render))}`;
}

function renderGroup(
  { name, stacks }: ScreenshotGroup,
  kind: ReportModel["run"]["kind"],
  render: (shot: ReportScreenshot) => Html,
): Html {
  const { title, about } = headingOf(name, kind);
  const heading = html`<h2>${title} <span class="count">${stacks.flat().length}</span></h2>`;
  const body = html`<p class="about">${about}</p><div class="grid">${stacks.map(stack => renderStack(stack, render))}</div>`;
  if (!FOLDED.has(name)) return html`<section class="group">${heading}${body}</section>`;
  return html`<details class="group"><summary>${heading}</summary>${body}</details>`;
}

/** Renders identical changes as one card that unfolds the others. */
function renderStack(stack: ReportScreenshot[], render: (shot: ReportScreenshot) => Html): Html {
  const [lead, ...others] = stack.map(render);
  if (others.length === 0) return html`<div class="stack">${lead ?? null}</div>`;
  return html`<div class="stack" >${lead ?? null}<details class="same"><summary><span class="times" aria-hidden="true">× ${stack.length}</span> ${CARD_TEXTS.sameChange(others.length)}</summary><div class="grid">${others}</div></details></div>`;
}
