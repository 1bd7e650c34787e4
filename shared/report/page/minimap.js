// @ts-check
import { loadImage } from "./load-image.js";
import { createRect } from "./sheet.js";

/** Minimum height of marks for small changes on a long page, as a ratio of the map. */
const MIN_MARK_RATIO = 0.008;

/**
 * Creates the map of the whole page at the edge of the stage, with the changed regions and the visible part.
 * A click goes there.
 * @param {import("./sheet.js").Screenshot} shot @param {import("./view.js").Size} union @param {string | null}
 * address
 * @param {(point: { x: number, y: number }) => void} goTo receives px of the sheet
 */
export function createMinimap(shot, union, address, goTo) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "minimap");
  svg.setAttribute("viewBox", `0 0 ${union.width} ${union.height}`);
  svg.setAttribute("preserveAspectRatio", "xMidYMin meet");
  svg.setAttribute("aria-hidden", "true");
  const page = createRect({ x: 0, y: 0, ...union });
  page.setAttribute("class", "page");
  const frame = createRect({ x: 0, y: 0, ...union });
  frame.setAttribute("class", "frame");
  svg.append(page, ...(address ? [createMapImage(shot, union, address)] : []));
  svg.append(...shot.regions.map(region => createMark(region, union)), frame);
  goToPointer(svg, goTo);
  return {
    element: svg,
    /** @param {import("./view.js").View} view @param {import("./view.js").Size} pane */
    show(view, pane) {
      const left = Math.max(0, -view.x / view.zoom);
      const top = Math.max(0, -view.y / view.zoom);
      const width = Math.min(union.width - left, pane.width / view.zoom);
      const height = Math.min(union.height - top, pane.height / view.zoom);
      for (const [name, value] of Object.entries({ x: left, y: top, width, height })) {
        frame.setAttribute(name, String(Math.max(0, value)));
      }
    },
  };
}

/** @param {import("./sheet.js").Screenshot} shot @param {import("./view.js").Size} union @param {string} address */
function createMapImage(shot, union, address) {
  const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
  const size = shot.current ?? shot.baseline ?? union;
  image.setAttribute("width", String(size.width));
  image.setAttribute("height", String(size.height));
  // The stage shows the state of the image.
  loadImage(image, address, () => {});
  return image;
}

/** @param {import("./view.js").Region} region @param {import("./view.js").Size} union */
function createMark({ y, height }, union) {
  const mark = createRect({
    x: 0,
    y,
    width: union.width,
    height: Math.max(height, union.height * MIN_MARK_RATIO),
  });
  mark.setAttribute("class", "mark");
  return mark;
}

/** @param {SVGSVGElement} svg @param {(point: { x: number, y: number }) => void} goTo */
function goToPointer(svg, goTo) {
  const follow = (/** @type {PointerEvent} */ event) => {
    const toScreen = svg.getScreenCTM();
    if (toScreen) goTo(new DOMPoint(event.clientX, event.clientY).matrixTransform(toScreen.inverse()));
  };
  svg.addEventListener("pointerdown", event => {
    svg.setPointerCapture(event.pointerId);
    follow(event);
  });
  svg.addEventListener("pointermove", event => {
    if (svg.hasPointerCapture(event.pointerId)) follow(event);
  });
}
