// @ts-check
/**
 * @typedef {{ width: number, height: number }} Size px
 * @typedef {{ x: number, y: number, width: number, height: number }} Region px of the sheet
 * @typedef {{ zoom: number, x: number, y: number }} View screen px per px of the sheet, and the position of
 * the sheet's corner
 */

export const MAX_ZOOM = 16;
/** Space around a region that is brought into view, so that its surroundings are visible. */
const REGION_MARGIN_PX = 120;

/** @param {Size} sheet @param {Size} pane @returns {number} */
export function zoomToFit(sheet, pane) {
  return Math.min(1, pane.width / sheet.width, pane.height / sheet.height);
}

/** @param {Size} sheet @param {Size} pane @returns {number} */
export function zoomToWidth(sheet, pane) {
  return Math.min(1, pane.width / sheet.width);
}

/**
 * Returns the view without needless empty space. A sheet that is smaller than the pane is centered
 * horizontally, and starts at the top.
 * @param {View} view @param {Size} sheet @param {Size} pane @returns {View}
 */
export function clampView({ zoom, x, y }, sheet, pane) {
  const freeX = pane.width - sheet.width * zoom;
  const freeY = pane.height - sheet.height * zoom;
  return {
    zoom,
    x: freeX >= 0 ? freeX / 2 : Math.min(0, Math.max(freeX, x)),
    y: freeY >= 0 ? 0 : Math.min(0, Math.max(freeY, y)),
  };
}

/**
 * Zooms so that the point of the sheet under `point` (px of the pane) stays there.
 * @param {View} view @param {number} zoom @param {{ x: number, y: number }} point @param {Size} sheet @param
 * {Size} pane
 * @returns {View}
 */
export function zoomAt(view, zoom, point, sheet, pane) {
  const bounded = Math.min(MAX_ZOOM, Math.max(zoomToFit(sheet, pane) / 2, zoom));
  const scale = bounded / view.zoom;
  const x = point.x - (point.x - view.x) * scale;
  const y = point.y - (point.y - view.y) * scale;
  return clampView({ zoom: bounded, x, y }, sheet, pane);
}

/**
 * Returns the view with the region in the center of the pane. A region that is taller than the pane is shown
 * from its top.
 * @param {Region} region @param {number} zoom @param {Size} sheet @param {Size} pane @returns {View}
 */
export function viewOfRegion(region, zoom, sheet, pane) {
  const shownHeight = Math.min(region.height, pane.height / zoom - REGION_MARGIN_PX);
  const x = pane.width / 2 - (region.x + region.width / 2) * zoom;
  const y = pane.height / 2 - (region.y + shownHeight / 2) * zoom;
  return clampView({ zoom, x, y }, sheet, pane);
}

/**
 * Returns the view with a point of the sheet in the center of the pane.
 * @param {{ x: number, y: number }} point @param {View} view @param {Size} sheet @param {Size} pane @returns
 * {View}
 */
export function centerOn(point, { zoom }, sheet, pane) {
  return clampView(
    { zoom, x: pane.width / 2 - point.x * zoom, y: pane.height / 2 - point.y * zoom },
    sheet,
    pane,
  );
}
