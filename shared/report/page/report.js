// @ts-check
import { fillThumbnails, localizeTimes, startFilters } from "./list.js";
import { byId } from "./page.js";
import { Viewer } from "./viewer.js";

/** @type {{ keys: Record<string, string>, revision?: number, screenshots: import("./sheet.js").Screenshot[] }} */
export const data = JSON.parse(byId("report-data", HTMLScriptElement).textContent ?? "");
export const viewer = new Viewer(data.screenshots);
const keySheet = byId("keys", HTMLDialogElement);

/** @type {Record<string, () => void>} */
export const pageActions = {
  filter: () => focusOn(".chip"),
  find: () => focusOn("#find"),
  keys: () => (keySheet.open ? keySheet.close() : keySheet.showModal()),
};

/** @param {string} selector */
function focusOn(selector) {
  viewer.close();
  const element = document.querySelector(selector);
  if (element instanceof HTMLElement) element.focus();
}

/** @param {string} act @returns {boolean} whether the action exists */
function perform(act) {
  const action = pageActions[act] ?? (viewer.isOpen ? viewer.actions[act] : undefined);
  action?.();
  return action !== undefined;
}

/**
 * Returns whether the focused element handles the key. @param {EventTarget | null} target @param {string} key
 */
function handlesKey(target, key) {
  if (target instanceof HTMLInputElement) return target.type !== "range" || key.startsWith("Arrow");
  if (key !== " ") return false;
  return target instanceof Element && target.closest("button, summary, a") !== null;
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || handlesKey(event.target, event.key)) return;
  if (keySheet.open && event.key !== "?") return;
  const shifted = event.shiftKey && event.key.startsWith("Arrow") ? "shift+" : "";
  const act = data.keys[shifted + event.key.toLowerCase()];
  // A held key repeats only what moves the view. Otherwise, it would approve screenshots unseen.
  if (act === undefined || (event.repeat && act in pageActions)) return;
  if (perform(act)) event.preventDefault();
});

document.addEventListener("click", event => {
  const button = event.target instanceof Element ? event.target.closest("[data-act]") : null;
  const act = button?.getAttribute("data-act");
  if (act) perform(act);
});

window.addEventListener("hashchange", () => viewer.follow(location.hash));

localizeTimes();
startFilters();
fillThumbnails();
viewer.follow(location.hash);
