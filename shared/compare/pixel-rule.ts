/**
 * pixelmatch's rule for one pixel anywhere: when two colours are seen to differ, and when that is only an edge that was
 * smoothed. Of the part of an image that is at hand, for images are judged strip by strip.
 */

/** How far apart two colours may be and still count as one, 0–1, where nobody says: pixelmatch's own default. */
export const COLOR_THRESHOLD = 0.1;

/** The greatest difference that is not seen at a colour threshold, as `seenDelta` measures it; 35,215 is the largest there is. */
export function maxDeltaOf(colorThreshold: number): number {
  return 35_215 * colorThreshold * colorThreshold;
}

/** How far from a pixel those are that decide on it: the neighbours of its neighbours. */
export const MARGIN_PX = 2;

/** A pixel: 8-bit RGBA in a word, red lowest. */
type Pixels = Int32Array<ArrayBuffer>;

/** The same part of two images of one size, rows without padding. */
export interface Crop {
  before: Pixels;
  after: Pixels;
  width: number;
  height: number;
  /** Where it lies in the image. Where that goes on, `MARGIN_PX` of it around the pixels that differ are in the crop. */
  left: number;
  top: number;
  imageWidth: number;
  /** Whether every pixel of both is opaque. */
  isOpaque: boolean;
  /** Colours that differ by no more than this are not seen to differ. */
  maxDelta: number;
}

/** Whether a pixel of the crop differs so much that it is seen. */
export function isSeen(crop: Crop, at: number): boolean {
  const a = crop.before[at] ?? 0;
  const b = crop.after[at] ?? 0;
  return a !== b && seenDelta(...channelDeltas(crop, a, b, at)) > crop.maxDelta;
}

/** How different two colours look (Kotsarenko and Ramos, 2010), squared, by how their channels differ. */
export function seenDelta(red: number, green: number, blue: number): number {
  const y = brightness(red, green, blue);
  const i = red * 0.59597799 - green * 0.2741761 - blue * 0.32180189;
  const q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694;
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

/** By how much one colour is brighter than another, by how their channels differ. */
export function brightness(red: number, green: number, blue: number): number {
  return red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
}

/**
 * Whether a pixel smooths an edge in one of the images: some around it are darker and some brighter, at most two as
 * bright as it, and the darkest or the brightest of them is part of an area in both images (Vyšniauskas, 2009).
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
  // Column by column: of equally bright ones the first counts.
  for (let x = left; x <= right; x++) {
    for (let near = top * width + x; near <= bottom * width + x; near += width) {
      if (near === at) continue;
      const there = image[near] ?? 0;
      const delta = there === own ? 0 : brightness(...channelDeltas(crop, own, there, at));
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
    (hasTwins(crop, image, darkestAt) && hasTwins(crop, other, darkestAt)) ||
    (hasTwins(crop, image, brightestAt) && hasTwins(crop, other, brightestAt))
  );
}

/** Whether over two of the pixels around one have its colour; the image's border counts as one of them. */
function hasTwins(crop: Crop, image: Pixels, at: number): boolean {
  const { width } = crop;
  const { left, right, top, bottom, isCut } = around(crop, at);
  // Less the pixel itself.
  let twins = isCut ? 0 : -1;
  for (let x = left; x <= right; x++)
    for (let near = top * width + x; near <= bottom * width + x; near += width)
      if (image[near] === image[at]) twins++;
  return twins > 2;
}

/** The columns and rows of the up to nine pixels around one, with itself; `isCut` where they are fewer. */
function around({ width, height }: Crop, at: number) {
  const [x, y] = [at % width, Math.floor(at / width)];
  const left = Math.max(x - 1, 0);
  const right = Math.min(x + 1, width - 1);
  const top = Math.max(y - 1, 0);
  const bottom = Math.min(y + 1, height - 1);
  return { left, right, top, bottom, isCut: right - left < 2 || bottom - top < 2 };
}

/** How red, green and blue of two colours differ, laid on pixelmatch's pattern, which hangs on the place in the image. */
function channelDeltas(crop: Crop, a: number, b: number, at: number): [number, number, number] {
  const byte =
    4 * ((crop.top + Math.floor(at / crop.width)) * crop.imageWidth + crop.left + (at % crop.width));
  const [alphaA, alphaB] = [a >>> 24, b >>> 24];
  const deltaOf = (shift: number, behind: number) =>
    (((a >> shift) & 255) * alphaA - ((b >> shift) & 255) * alphaB - behind * (alphaA - alphaB)) / 255;
  return [
    deltaOf(0, shade(0)),
    deltaOf(8, shade(byte / 1.618033988749895)),
    deltaOf(16, shade(byte / 2.618033988749895)),
  ];
}

function shade(turn: number): number {
  return 48 + 159 * (Math.floor(turn) % 2);
}
