import { type Html, html } from "./html.ts";
import { type IconName, icon } from "./icons.ts";
import { type KeyBinding, PAGE_KEYS, VIEWER_KEYS } from "./keys.ts";

const MODES = [
  ["side", html`<span>Side<span class="roomy"> by side</span></span>`, "1"],
  ["swipe", "Swipe", "2"],
  ["overlay", "Overlay", "3"],
  ["baseline", "Baseline", "4"],
  ["new", "New", "5"],
  ["blink", "Blink", "6"],
] as const;

/** The frame of the viewer, which page/viewer.js fills when a screenshot is opened, and the key sheet. */
export function renderViewer(): Html {
  return html`<dialog class="viewer" id="viewer" aria-labelledby="viewer-title">
<header class="viewer-bar">
${renderAct("close", "back", "Back to the list", "Escape")}
<div class="viewer-what" aria-live="polite"><h2 id="viewer-title" tabindex="-1" autofocus></h2><div class="viewer-said"><div id="viewer-line"></div><p id="viewer-why"></p></div></div>
<div class="buttons"><output id="viewer-place"></output><details class="viewer-facts"><summary>Details</summary><div id="viewer-facts"></div></details>${renderAct("previous", "up", "Previous screenshot", "ArrowUp")}${renderAct("next", "down", "Next screenshot", "ArrowDown")}${renderAct("copy", "link", "Copy a link to this view", "C")}<button type="button" data-act="keys" title="Keys (?)" aria-label="Keys" aria-keyshortcuts="?">?</button></div>
</header>
<div class="viewer-remarks" id="viewer-remarks"></div>
<div class="stage-frame"><div class="stage" id="stage"></div><label class="blend" id="blend-label" hidden><span id="blend-caption"></span><input type="range" id="blend" min="0" max="100" value="50"></label></div>
<footer class="tools" role="group" aria-label="View">
<div class="buttons modes" role="group" aria-label="Mode">${MODES.map(([act, label, key]) => html`<button type="button" data-act="${act}" data-mode aria-pressed="false" aria-keyshortcuts="${key}"><kbd>${key}</kbd>${label}</button>`)}</div>
<div class="buttons" role="group" aria-label="Changed regions" id="regions">${renderAct("previous-region", "left", "Previous region", "K")}<output id="region-place"></output>${renderAct("next-region", "right", "Next region", "J")}</div>
<div class="buttons" role="group" aria-label="Marks">${renderToggle("mask", "Mask", "D")}${renderToggle("outline", "Outline", "H")}</div>
<div class="buttons" role="group" aria-label="Zoom"><button type="button" data-act="zoom-out" aria-label="Zoom out" aria-keyshortcuts="-">−</button><span id="zoom"></span><button type="button" data-act="zoom-in" aria-label="Zoom in" aria-keyshortcuts="+">+</button><button type="button" data-act="fit" aria-keyshortcuts="Space">Fit</button><button type="button" data-act="actual" title="True size, 100 %" aria-label="1:1, true size" aria-keyshortcuts="0">1:1</button></div>
</footer>
<p class="toast" id="toast" role="status"></p>
</dialog>
<dialog class="sheet" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${[...VIEWER_KEYS, ...PAGE_KEYS].map(renderKey)}</dl><button type="button" data-act="keys">Close</button></dialog>`;
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
