// @ts-check
/** All texts that the script of `vrs dev` shows. */
export const LIVE_PAGE_TEXTS = {
  /** @param {number} open */
  open: open => (open === 0 ? "Nothing needs review." : `${open} ${open === 1 ? "needs" : "need"} review.`),
  checking: "Comparing new screenshots…",
  stopped: "vrs dev has stopped. Start it again to go on.",
  /** @param {number} approved */
  approved: approved => `${approved} ${approved === 1 ? "screenshot" : "screenshots"} approved.`,
  nothing: "This screenshot needs no approval.",
  nothingAtAll: "No screenshot needs approval.",
};
