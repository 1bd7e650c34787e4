// @ts-check
import { PAGE_TEXTS } from "./texts.js";

/** @typedef {(typeof MODES)[number]} Mode how the two sides are shown */

export const MODES = /** @type {const} */ (["side", "swipe", "overlay", "baseline", "new", "blink"]);

/**
 * Returns the modes that a screenshot has images for. @param {import("./sheet.js").Screenshot} shot @returns
 * {readonly Mode[]}
 */
export function modesOf(shot) {
  if (shot.baseline && shot.current) return MODES;
  if (shot.baseline) return ["baseline"];
  return shot.current ? ["new"] : [];
}

/**
 * @typedef {{ baseline: string, noBaseline: string, current: string, noCurrent: string }} Sides names of the
 * two sides
 */

/** The names for a run's screenshot. @type {Sides} */
export const RUN_SIDES = PAGE_TEXTS.sides;

/**
 * Returns the labels of each pane: the sides that it shows, from left to right.
 * @param {import("./sheet.js").Screenshot} shot @param {Mode} mode @param {Sides} [sides] @returns {string[][]}
 */
export function labelsOf({ baseline, current }, mode, sides = RUN_SIDES) {
  const before = baseline ? `${sides.baseline} ${baseline.width} × ${baseline.height}` : sides.noBaseline;
  const after = current ? `${sides.current} ${current.width} × ${current.height}` : sides.noCurrent;
  if (mode === "side") return [[before], [after]];
  if (mode === "baseline") return [[before]];
  if (mode === "new") return [[after]];
  return [[before, after]];
}
