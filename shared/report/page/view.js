// @ts-check
/**
 * @typedef {{ width: number, height: number }} Size px
 * @typedef {{ x: number, y: number, width: number, height: number }} Region px of the sheet
 * @typedef {{ zoom: number, x: number, y: number }} View screen px per sheet px, and where the sheet's corner is
 */

export const MAX_ZOOM = 16;
/** Around a region that is brought into view, so that it is seen in its place. */
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
 * The view with no more empty room than needed: a sheet smaller than the pane is centred across, and at the top.
 * @param {View} view @param {Size} sheet @param {Size} pane @returns {View}
 */
export function settle({ zoom, x, y }, sheet, pane) {
  const freeX = pane.width - sheet.width * zoom;
  const freeY = pane.height - sheet.height * zoom;
  return {
    zoom,
    x: freeX >= 0 ? freeX / 2 : Math.min(0, Math.max(freeX, x)),
    y: freeY >= 0 ? 0 : Math.min(0, Math.max(freeY, y)),
  };
}

/**
 * Zooms so that the sheet's point under `point` (px of the pane) stays there.
 * @param {View} view @param {number} zoom @param {{ x: number, y: number }} point @param {Size} sheet @param {Size} pane
 * @returns {View}
 */
export function zoomAt(view, zoom, point, sheet, pane) {
  const bounded = Math.min(MAX_ZOOM, Math.max(zoomToFit(sheet, pane) / 2, zoom));
  const scale = bounded / view.zoom;
  const x = point.x - (point.x - view.x) * scale;
  const y = point.y - (point.y - view.y) * scale;
  return settle({ zoom: bounded, x, y }, sheet, pane);
}

/**
 * The region in the middle of the pane; one taller than the pane is shown from its top.
 * @param {Region} region @param {number} zoom @param {Size} sheet @param {Size} pane @returns {View}
 */
export function viewOfRegion(region, zoom, sheet, pane) {
  const shownHeight = Math.min(region.height, pane.height / zoom - REGION_MARGIN_PX);
  const x = pane.width / 2 - (region.x + region.width / 2) * zoom;
  const y = pane.height / 2 - (region.y + shownHeight / 2) * zoom;
  return settle({ zoom, x, y }, sheet, pane);
}

/**
 * The place for a sheet's point in the middle of the pane.
 * @param {{ x: number, y: number }} point @param {View} view @param {Size} sheet @param {Size} pane @returns {View}
 */
export function centreOn(point, { zoom }, sheet, pane) {
  return settle(
    { zoom, x: pane.width / 2 - point.x * zoom, y: pane.height / 2 - point.y * zoom },
    sheet,
    pane,
  );
}
