import { brightness, type Crop, isAntialiased, isSeen, MARGIN_PX, seenDelta } from "./pixel-rule.ts";

/**
 * Finds the pixels of the crop's rows `from` to `to` (exclusive) that changed by `pixel-rule.ts`: opaque ones away from
 * the border, which nearly all are, by a form of the rule that the processor likes better.
 *
 * Returns their places in the crop, left to right, top to bottom.
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
      // The same two colours lie side by side on most of a page.
      if (a !== knownBefore || b !== knownAfter || !isOpaque) {
        knownBefore = a;
        knownAfter = b;
        isDifferent = isOpaque ? deltaOf(a, b) > maxDelta : isSeen(crop, at);
      }
      if (!isDifferent) continue;
      if (!isInnerRow || at < row + MARGIN_PX || at >= row + width - MARGIN_PX) {
        if (isAntialiased(crop, before, after, at) || isAntialiased(crop, after, before, at)) continue;
      } else {
        if (!hasTwins(before, at, width) && isSmoothing(crop, before, after, at)) continue;
        if (!hasTwins(after, at, width) && isSmoothing(crop, after, before, at)) continue;
      }
      found[count++] = at;
    }
  }
  return found.subarray(0, count);
}

function deltaOf(a: number, b: number): number {
  return seenDelta(redDelta(a, b), greenDelta(a, b), blueDelta(a, b));
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

/** Of a pixel without twins: at most two around it have its colour, and opaque colours that differ never are equally bright. */
function isSmoothingOpaque(image: Int32Array, other: Int32Array, at: number, width: number): boolean {
  const own = image[at] ?? 0;
  let darkest = 0;
  let darkestAt = 0;
  let brightest = 0;
  let brightestAt = 0;
  for (let column = at - 1; column <= at + 1; column++) {
    for (let near = column - width; near <= column + width; near += width) {
      const there = image[near] ?? 0;
      const delta = brightness(redDelta(own, there), greenDelta(own, there), blueDelta(own, there));
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
    (hasTwins(image, darkestAt, width) && hasTwins(other, darkestAt, width)) ||
    (hasTwins(image, brightestAt, width) && hasTwins(other, brightestAt, width))
  );
}

/** Those above, below and beside it first: on a flat area they are enough. */
function hasTwins(image: Int32Array, at: number, width: number): boolean {
  const colour = image[at];
  let twins = 0;
  if (image[at - 1] === colour) twins++;
  if (image[at + 1] === colour) twins++;
  if (image[at - width] === colour) twins++;
  if (image[at + width] === colour) twins++;
  if (twins > 2) return true;
  if (image[at - width - 1] === colour) twins++;
  if (image[at - width + 1] === colour) twins++;
  if (image[at + width - 1] === colour) twins++;
  if (image[at + width + 1] === colour) twins++;
  return twins > 2;
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
