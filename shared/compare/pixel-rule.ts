/**
 * pixelmatch's rule for a single pixel: when two colors differ visibly, and when the difference is only a smoothed
 * edge. It works on a part of an image, because images are compared strip by strip.
 */

/** Default difference below which two colors count as equal, 0–1. It is pixelmatch's default. */
export const COLOR_THRESHOLD = 0.1;

/**
 * Returns the largest invisible difference at a color threshold, as measured by `visibleDelta`. The largest possible
 * value is 35,215.
 */
export function maxDeltaOf(colorThreshold: number): number {
  return 35_215 * colorThreshold * colorThreshold;
}

/** Distance of the pixels that affect a pixel's result: the neighbors of its neighbors. */
export const MARGIN_PX = 2;

/** Pixels as words of 8-bit RGBA, with red in the lowest byte. */
type Pixels = Int32Array<ArrayBuffer>;

/** The same part of two images of the same size, with rows without padding. */
export interface Crop {
  before: Pixels;
  after: Pixels;
  width: number;
  height: number;
  /** Position in the image. If the image continues, the crop contains `MARGIN_PX` around the pixels that differ. */
  left: number;
  top: number;
  imageWidth: number;
  /** Whether all pixels of both parts are opaque. */
  isOpaque: boolean;
  /** Largest difference of two colors that is invisible. */
  maxDelta: number;
}

/** Returns whether a pixel of the crop differs visibly. */
export function isVisible(crop: Crop, at: number): boolean {
  const a = crop.before[at] ?? 0;
  const b = crop.after[at] ?? 0;
  return a !== b && visibleDelta(...channelDeltas(crop, a, b, at)) > crop.maxDelta;
}

/**
 * Returns the squared perceived difference of two colors from their channel differences (Kotsarenko and Ramos, 2010).
 */
export function visibleDelta(red: number, green: number, blue: number): number {
  const y = brightness(red, green, blue);
  const i = red * 0.59597799 - green * 0.2741761 - blue * 0.32180189;
  const q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694;
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

/** Returns the difference in brightness of two colors from their channel differences. */
export function brightness(red: number, green: number, blue: number): number {
  return red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
}

/**
 * Returns whether a pixel smooths an edge in one of the images (Vyšniauskas, 2009). Some of its neighbors are darker
 * and some brighter, and at most two are equally bright. The darkest or the brightest neighbor is part of an area in
 * both images.
 */
export function isAntialiased(crop: Crop, image: Pixels, other: Pixels, at: number): boolean {
  const { width } = crop;
  const own = image[at] ?? 0;
  const { left, right, top, bottom, isCut } = around(crop, at);
  let equal = isCut ? 1 : 0;
  let darkest = 0;
  let darkestAt = 0;
  let brightest = 0;
  let brightestAt = 0;
  // Goes column by column. Of equally bright neighbors, the first counts.
  for (let x = left; x <= right; x++) {
    for (let near = top * width + x; near <= bottom * width + x; near += width) {
      if (near === at) continue;
      const neighbor = image[near] ?? 0;
      const delta = neighbor === own ? 0 : brightness(...channelDeltas(crop, own, neighbor, at));
      if (delta === 0) {
        equal++;
        if (equal > 2) return false;
      } else if (delta < darkest) {
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
    (hasManySiblings(crop, image, darkestAt) && hasManySiblings(crop, other, darkestAt)) ||
    (hasManySiblings(crop, image, brightestAt) && hasManySiblings(crop, other, brightestAt))
  );
}

/** Returns whether more than two neighbors have the pixel's color. The image's border counts as one neighbor. */
function hasManySiblings(crop: Crop, image: Pixels, at: number): boolean {
  const { width } = crop;
  const { left, right, top, bottom, isCut } = around(crop, at);
  // Doesn't count the pixel itself.
  let siblings = isCut ? 0 : -1;
  for (let x = left; x <= right; x++)
    for (let near = top * width + x; near <= bottom * width + x; near += width)
      if (image[near] === image[at]) siblings++;
  return siblings > 2;
}

/** Returns the bounds of the up to nine pixels around one, including it. `isCut` is true if they are fewer. */
function around({ width, height }: Crop, at: number) {
  const [x, y] = [at % width, Math.floor(at / width)];
  const left = Math.max(x - 1, 0);
  const right = Math.min(x + 1, width - 1);
  const top = Math.max(y - 1, 0);
  const bottom = Math.min(y + 1, height - 1);
  return { left, right, top, bottom, isCut: right - left < 2 || bottom - top < 2 };
}

/**
 * Returns the differences of two colors in red, green, and blue, over pixelmatch's background pattern. The pattern
 * depends on the position in the image.
 */
function channelDeltas(crop: Crop, a: number, b: number, at: number): [number, number, number] {
  const byte =
    4 * ((crop.top + Math.floor(at / crop.width)) * crop.imageWidth + crop.left + (at % crop.width));
  const [alphaA, alphaB] = [a >>> 24, b >>> 24];
  const deltaOf = (shift: number, background: number) =>
    (((a >> shift) & 255) * alphaA - ((b >> shift) & 255) * alphaB - background * (alphaA - alphaB)) / 255;
  return [
    deltaOf(0, shade(0)),
    deltaOf(8, shade(byte / 1.618033988749895)),
    deltaOf(16, shade(byte / 2.618033988749895)),
  ];
}

function shade(turn: number): number {
  return 48 + 159 * (Math.floor(turn) % 2);
}
