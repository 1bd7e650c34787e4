import { brightness, type Crop, isAntialiased, isVisible, MARGIN_PX, visibleDelta } from "./pixel-rule.ts";

/**
 * Finds the changed pixels in the crop's rows `from` to `to` (exclusive), by the rule of `pixel-rule.ts`. Nearly all
 * pixels are opaque and away from the border. They use a faster form of the rule.
 *
 * `docs/contributing/decisions/compare-changed-areas.md` has measurements of pixelmatch in its place.
 *
 * Returns their positions in the crop, from left to right and from top to bottom.
 */
export function changedPixels(crop: Crop, from: number, to: number): Int32Array {
  const { before, after, width, height, isOpaque, maxDelta } = crop;
  const found = new Int32Array((to - from) * width);
  let count = 0;
  let knownBefore = 0;
  let knownAfter = 0;
  let isDifferent = false;
  for (let y = from; y < to; y++) {
    const isInnerRow = y >= MARGIN_PX && y < height - MARGIN_PX;
    const row = y * width;
    for (let at = row; at < row + width; at++) {
      const a = before[at] ?? 0;
      const b = after[at] ?? 0;
      if (a === b) continue;
      // On most of a page, adjacent pixels have the same two colors.
      if (a !== knownBefore || b !== knownAfter || !isOpaque) {
        knownBefore = a;
        knownAfter = b;
        isDifferent = isOpaque ? deltaOf(a, b) > maxDelta : isVisible(crop, at);
      }
      if (!isDifferent) continue;
      if (!isInnerRow || at < row + MARGIN_PX || at >= row + width - MARGIN_PX) {
        if (isAntialiased(crop, before, after, at) || isAntialiased(crop, after, before, at)) continue;
      } else {
        if (!hasManySiblings(before, at, width) && isSmoothing(crop, before, after, at)) continue;
        if (!hasManySiblings(after, at, width) && isSmoothing(crop, after, before, at)) continue;
      }
      found[count++] = at;
    }
  }
  return found.subarray(0, count);
}

function deltaOf(a: number, b: number): number {
  return visibleDelta(redDelta(a, b), greenDelta(a, b), blueDelta(a, b));
}

function isSmoothing(
  crop: Crop,
  image: Int32Array<ArrayBuffer>,
  other: Int32Array<ArrayBuffer>,
  at: number,
): boolean {
  return crop.isOpaque
    ? isSmoothingOpaque(image, other, at, crop.width)
    : isAntialiased(crop, image, other, at);
}

/**
 * Applies to a pixel without many siblings: at most two neighbors have its color. Different opaque colors never have
 * the same brightness.
 */
function isSmoothingOpaque(image: Int32Array, other: Int32Array, at: number, width: number): boolean {
  const own = image[at] ?? 0;
  let darkest = 0;
  let darkestAt = 0;
  let brightest = 0;
  let brightestAt = 0;
  for (let column = at - 1; column <= at + 1; column++) {
    for (let near = column - width; near <= column + width; near += width) {
      const neighbor = image[near] ?? 0;
      const delta = brightness(redDelta(own, neighbor), greenDelta(own, neighbor), blueDelta(own, neighbor));
      if (delta < darkest) {
        darkest = delta;
        darkestAt = near;
      } else if (delta > brightest) {
        brightest = delta;
        brightestAt = near;
      }
    }
  }
  if (darkest === 0 || brightest === 0) return false;
  return (
    (hasManySiblings(image, darkestAt, width) && hasManySiblings(other, darkestAt, width)) ||
    (hasManySiblings(image, brightestAt, width) && hasManySiblings(other, brightestAt, width))
  );
}

/** Checks the direct neighbors first. On a flat area, they are enough. */
function hasManySiblings(image: Int32Array, at: number, width: number): boolean {
  const color = image[at];
  let siblings = 0;
  if (image[at - 1] === color) siblings++;
  if (image[at + 1] === color) siblings++;
  if (image[at - width] === color) siblings++;
  if (image[at + width] === color) siblings++;
  if (siblings > 2) return true;
  if (image[at - width - 1] === color) siblings++;
  if (image[at - width + 1] === color) siblings++;
  if (image[at + width - 1] === color) siblings++;
  if (image[at + width + 1] === color) siblings++;
  return siblings > 2;
}

function redDelta(a: number, b: number): number {
  return (a & 255) - (b & 255);
}

function greenDelta(a: number, b: number): number {
  return ((a >> 8) & 255) - ((b >> 8) & 255);
}

function blueDelta(a: number, b: number): number {
  return ((a >> 16) & 255) - ((b >> 16) & 255);
}
