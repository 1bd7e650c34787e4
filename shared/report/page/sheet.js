// @ts-check
import { loadImage } from "./load-image.js";
import { PAGE_TEXTS } from "./texts.js";

/**
 * @typedef {import("./view.js").Size} Size
 * @typedef {import("./view.js").Region} Region
 * @typedef {Region & { pixels: number, selector?: string | undefined }} IgnoredRegion with its changed pixels, which don't count
 * @typedef {{ anchor: string, title: string, why: string | null, current: Size | null, baseline: Size | null,
 * regions: Region[], ignored: IgnoredRegion[] }} Screenshot
 * @typedef {{ element: HTMLElement, layers: Map<string, HTMLElement>, outlines: SVGRectElement[] }} Sheet
 */

/** Gap between a region and its outline on the screen: more than half of the thickest line. */
const OUTLINE_GAP_PX = 4;

/** Returns the size of the union of both sides. @param {Screenshot} shot @returns {Size} */
export function unionOf({ current, baseline }) {
  return {
    width: Math.max(current?.width ?? 0, baseline?.width ?? 0),
    height: Math.max(current?.height ?? 0, baseline?.height ?? 0),
  };
}

/**
 * Creates a sheet: both sides or one at full size, one over the other, below the difference mask and the
 * outlines.
 * @param {Screenshot} shot @param {("baseline" | "current")[]} sides @param {(kind: string) => string | null}
 * addressOf
 * @param {boolean} [isTinted] whether the mask has the color `--diff`, which needs a URL of the page's own
 * origin
 * @returns {Sheet}
 */
export function createSheet(shot, sides, addressOf, isTinted = false) {
  const union = unionOf(shot);
  const element = document.createElement("div");
  element.className = "page-sheet";
  setSize(element, union);
  const layers = new Map();
  for (const side of sides) {
    const size = shot[side];
    const address = addressOf(side);
    if (!size || !address) continue;
    const layer = createLayer(side, size, union);
    layer.prepend(createImage(address, size, PAGE_TEXTS.imageOf(PAGE_TEXTS.sides[side], shot.title)));
    layers.set(side, layer);
    element.append(layer);
  }
  const mask = addressOf("diff");
  if (mask) element.append(createMask(mask, union, PAGE_TEXTS.changedPixelsOf(shot.title), isTinted));
  const { svg, rects } = createOutlines(shot.regions, union);
  element.append(...shot.ignored.map(createIgnored), svg);
  return { element, layers, outlines: rects };
}

/** @param {string} side @param {Size} size @param {Size} union */
function createLayer(side, size, union) {
  const layer = document.createElement("div");
  layer.className = "layer";
  layer.dataset.side = side;
  setSize(layer, union);
  layer.append(...createMissing(size, union));
  return layer;
}

/**
 * Creates the areas of the union that one side lacks: a strip at its right, and one below. @param {Size} size
 * @param {Size} union
 */
function createMissing(size, union) {
  const strips = [
    { left: size.width, top: 0, width: union.width - size.width, height: union.height },
    { left: 0, top: size.height, width: size.width, height: union.height - size.height },
  ];
  return strips
    .filter(strip => strip.width > 0 && strip.height > 0)
    .map(strip => {
      const element = document.createElement("div");
      element.className = "missing";
      element.style.left = `${strip.left}px`;
      element.style.top = `${strip.top}px`;
      setSize(element, strip);
      return element;
    });
}

/** @param {string} address @param {Size} union @param {string} alt @param {boolean} isTinted */
function createMask(address, union, alt, isTinted) {
  const mask = document.createElement("div");
  mask.className = "mask";
  setSize(mask, union);
  const image = createImage(address, union, alt);
  mask.append(image);
  // Browsers request a tint's mask only once, so it must exist before.
  if (isTinted) image.addEventListener("load", () => mask.append(createTint(address)), { once: true });
  return mask;
}

/** @param {string} address */
function createTint(address) {
  const tint = document.createElement("div");
  tint.className = "tint";
  tint.style.maskImage = `url("${new URL(address, document.baseURI).href}")`;
  return tint;
}

/** @param {string} address @param {Size} size @param {string} alt */
function createImage(address, size, alt) {
  const image = document.createElement("img");
  image.width = size.width;
  image.height = size.height;
  image.alt = alt;
  image.draggable = false;
  const lost = document.createElement("p");
  lost.className = "lost";
  loadImage(image, address, state => {
    lost.textContent = state === "deleted" ? PAGE_TEXTS.imageGone(alt) : PAGE_TEXTS.imageFailed(alt);
    if (state === "loaded") lost.remove();
    else image.after(lost);
  });
  return image;
}

/** Creates a hatched ignore region with the number of hidden pixels. @param {IgnoredRegion} region */
function createIgnored(region) {
  const element = document.createElement("div");
  element.className = "ignored";
  element.style.left = `${region.x}px`;
  element.style.top = `${region.y}px`;
  setSize(element, region);
  const label = document.createElement("span");
  label.textContent = PAGE_TEXTS.ignoredPixels(region.pixels, region.selector);
  element.append(label);
  return element;
}

/** @param {Region[]} regions @param {Size} union */
function createOutlines(regions, union) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "outlines");
  svg.setAttribute("viewBox", `0 0 ${union.width} ${union.height}`);
  svg.setAttribute("aria-hidden", "true");
  setSize(svg, union);
  const rects = regions.map(createOutline);
  svg.append(...rects);
  return { svg, rects };
}

/**
 * Creates an outline around a region, with a gap of the same size at every zoom, so that it doesn't cover a small
 * change. @param {Region} region @returns {SVGRectElement}
 */
function createOutline(region) {
  const rect = createRect(region);
  const gap = `${OUTLINE_GAP_PX} * var(--px, 1px)`;
  rect.style.setProperty("x", `calc(${region.x}px - ${gap})`);
  rect.style.setProperty("y", `calc(${region.y}px - ${gap})`);
  rect.style.setProperty("width", `calc(${region.width}px + 2 * ${gap})`);
  rect.style.setProperty("height", `calc(${region.height}px + 2 * ${gap})`);
  return rect;
}

/** @param {Region} region @returns {SVGRectElement} */
export function createRect(region) {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  rect.setAttribute("x", String(region.x));
  rect.setAttribute("y", String(region.y));
  rect.setAttribute("width", String(region.width));
  rect.setAttribute("height", String(region.height));
  return rect;
}

/** @param {HTMLElement | SVGSVGElement} element @param {Size} size */
function setSize(element, size) {
  element.style.width = `${size.width}px`;
  element.style.height = `${size.height}px`;
}
