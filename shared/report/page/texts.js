// @ts-check
/** All texts that the report's script shows. */
export const PAGE_TEXTS = {
  sides: {
    baseline: "Baseline",
    noBaseline: "No baseline",
    current: "New",
    noCurrent: "Not in this run",
  },
  /** @param {string} side @param {string} title */
  imageOf: (side, title) => `${side} screenshot of ${title}`,
  /** @param {string} title */
  changedPixelsOf: title => `Changed pixels of ${title}`,
  /** @param {string} image */
  imageGone: image => `${image}: this image was deleted.`,
  /** @param {string} image */
  imageFailed: image => `${image}: failed to load this image. Retrying…`,
  noImage: "There is no image of this screenshot.",
  /** @param {number} pixels @param {string | undefined} selector */
  ignoredPixels: (pixels, selector) =>
    `${pixels.toLocaleString("en-US")} px ignored${selector === undefined ? "" : ` in ${selector}`}`,
  /** @param {number} index @param {number} all */
  regionIndex: (index, all) => `Region ${index} of ${all}`,
  /** @param {number} index @param {number} all */
  screenshotIndex: (index, all) => `${index} of ${all}`,
  /** @param {number} shown @param {number} all */
  found: (shown, all) => `${shown.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} shown`,
  /** @param {number} zoom */
  zoom: zoom => `${Math.round(zoom * 100)}%`,
  swipeSlider: "Divider",
  overlaySlider: "Opacity",
  lastScreenshot: "This is the last screenshot.",
  firstScreenshot: "This is the first screenshot.",
  linkCopied: "Link copied.",
  linkNotCopied: "The browser blocked the clipboard. Copy the link from the address bar.",
};
