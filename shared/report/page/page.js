// @ts-check
/** Long enough to read one line. */
const MESSAGE_MS = 2500;

/**
 * Returns an element that the page must have.
 * @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hideTimer;

/** Shows a short message, also to screen readers. @param {string} text */
export function showMessage(text) {
  const toast = byId("toast", HTMLElement);
  toast.textContent = text;
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => {
    toast.textContent = "";
  }, MESSAGE_MS);
}
