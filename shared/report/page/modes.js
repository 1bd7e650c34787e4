// @ts-check
/** @typedef {(typeof MODES)[number]} Mode how the two sides are shown */

export const MODES = /** @type {const} */ (["side", "swipe", "overlay", "baseline", "new", "blink"]);

/** Those that a screenshot has images for. @param {import("./sheet.js").Shot} shot @returns {readonly Mode[]} */
export function modesOf(shot) {
  if (shot.baseline && shot.current) return MODES;
  if (shot.baseline) return ["baseline"];
  return shot.current ? ["new"] : [];
}

/**
 * What stands over each pane: the sides that it shows, from left to right.
 * @param {import("./sheet.js").Shot} shot @param {Mode} mode @returns {string[][]}
 */
export function labelsOf({ baseline, current }, mode) {
  const before = baseline ? `Baseline ${baseline.width} × ${baseline.height}` : "No baseline";
  const after = current ? `New ${current.width} × ${current.height}` : "Not in this run";
  if (mode === "side") return [[before], [after]];
  if (mode === "baseline") return [[before]];
  if (mode === "new") return [[after]];
  return [[before, after]];
}
