// @ts-check
/**
 * Folds the open `<details>` of an element on Escape, and on a press outside it. Escape has no other effect
 * then.
 * @param {HTMLElement} element
 * @returns {() => void} removes the listeners
 */
export function foldPanels(element) {
  const panel = () => element.querySelector("details[open]");
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  document.addEventListener(
    "keydown",
    event => {
      const open = panel();
      if (event.key !== "Escape" || !open || isInOtherDialog(event.target, open)) return;
      event.preventDefault();
      event.stopPropagation();
      const summary = open.querySelector("summary");
      if (open.contains(document.activeElement)) summary?.focus();
      open.removeAttribute("open");
    },
    options,
  );
  document.addEventListener(
    "pointerdown",
    event => {
      const open = panel();
      if (open && event.target instanceof Node && !open.contains(event.target)) open.removeAttribute("open");
    },
    options,
  );
  return () => listening.abort();
}

/**
 * Returns whether a dialog over the panel handles the key. @param {EventTarget | null} target @param
 * {Element} panel
 */
function isInOtherDialog(target, panel) {
  const dialog = target instanceof Element ? target.closest("dialog") : null;
  return dialog !== null && !dialog.contains(panel);
}
