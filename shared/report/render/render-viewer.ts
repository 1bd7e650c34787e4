import type { KeyBinding } from "../keys.ts";
import { type Html, html } from "./html.ts";
import { type IconName, icon } from "./icons.ts";
import { VIEWER_TEXTS as TEXTS } from "./texts.ts";

const MODES = [
  ["side", html`<span>${TEXTS.modes.side}<span class="roomy">${TEXTS.modes.bySide}</span></span>`, "1"],
  ["swipe", TEXTS.modes.swipe, "2"],
  ["overlay", TEXTS.modes.overlay, "3"],
  ["baseline", TEXTS.modes.baseline, "4"],
  ["new", TEXTS.modes.new, "5"],
  ["blink", TEXTS.modes.blink, "6"],
] as const;

/**
 * Renders the frame of the viewer, which page/viewer.js fills when a screenshot is opened, and the key sheet.
 * @param tools more buttons
 */
export function renderViewer(keys: readonly KeyBinding[], tools: Html | null): Html {
  return html`<dialog class="viewer" id="viewer" aria-labelledby="viewer-title">
<header class="viewer-bar">
${renderAct("close", "back", TEXTS.back, "Escape")}
<div class="viewer-what" aria-live="polite"><h2 id="viewer-title" tabindex="-1" autofocus></h2><div class="viewer-said"><div id="viewer-line"></div><p id="viewer-why"></p></div></div>
<div class="buttons">${tools}<output id="viewer-place"></output><details class="viewer-facts"><summary>${TEXTS.details}</summary><div id="viewer-facts"></div></details>${renderAct("previous", "up", TEXTS.previous, "ArrowUp")}${renderAct("next", "down", TEXTS.next, "ArrowDown")}${renderAct("copy", "link", TEXTS.copy, "C")}<button type="button" data-act="keys" title="${TEXTS.keys} (?)" aria-label="${TEXTS.keys}" aria-keyshortcuts="?">?</button></div>
</header>
<div class="viewer-remarks" id="viewer-remarks"></div>
<div class="stage-frame"><div class="stage" id="stage"></div><label class="blend" id="blend-label" hidden><span id="blend-caption"></span><input type="range" id="blend" min="0" max="100" value="50"></label></div>
<footer class="tools" role="group" aria-label="${TEXTS.view}">
<div class="buttons modes" role="group" aria-label="${TEXTS.mode}">${MODES.map(([act, label, key]) => html`<button type="button" data-act="${act}" data-mode aria-pressed="false" aria-keyshortcuts="${key}"><kbd>${key}</kbd>${label}</button>`)}</div>
<div class="buttons" role="group" aria-label="${TEXTS.regions}" id="regions">${renderAct("previous-region", "left", TEXTS.previousRegion, "K")}<output id="region-place"></output>${renderAct("next-region", "right", TEXTS.nextRegion, "J")}</div>
<div class="buttons" role="group" aria-label="${TEXTS.highlights}">${renderToggle("mask", TEXTS.mask, "D")}${renderToggle("outline", TEXTS.outline, "H")}</div>
<div class="buttons" role="group" aria-label="${TEXTS.zoom}"><button type="button" data-act="zoom-out" aria-label="${TEXTS.zoomOut}" aria-keyshortcuts="-">−</button><span id="zoom"></span><button type="button" data-act="zoom-in" aria-label="${TEXTS.zoomIn}" aria-keyshortcuts="+">+</button><button type="button" data-act="fit" aria-keyshortcuts="Space">${TEXTS.fit}</button><button type="button" data-act="actual" title="${TEXTS.actual}" aria-label="${TEXTS.actualShort}" aria-keyshortcuts="0">1:1</button></div>
</footer>
<p class="toast" id="toast" role="status"></p>
</dialog>
<dialog class="sheet" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">${TEXTS.keys}</h2><dl>${keys.map(renderKey)}</dl><button type="button" data-act="keys">${TEXTS.close}</button></dialog>`;
}

function renderAct(act: string, name: IconName, label: string, key: string): Html {
  return html`<button type="button" data-act="${act}" title="${label}" aria-label="${label}" aria-keyshortcuts="${key}">${icon(name)}</button>`;
}

function renderToggle(act: string, label: string, key: string): Html {
  return html`<button type="button" data-act="${act}" aria-pressed="false" aria-keyshortcuts="${key}"><kbd>${key}</kbd>${label}</button>`;
}

function renderKey({ shown, label }: KeyBinding): Html {
  return html`<div><dt><kbd>${shown}</kbd></dt><dd>${label}</dd></div>`;
}
