import type { Region } from "./comparison.ts";

/** A part of an image, cut out of it at this place. */
interface Part {
  width: number;
  left: number;
  top: number;
}

/** Changed pixels of a part, by what they count as. Places in the part, left to right, top to bottom. */
export interface SplitPixels {
  counted: Int32Array;
  ignored: Int32Array;
  /** Ignored pixels of each region, in the order of the regions. */
  ignoredPixels: number[];
}

const NO_REGION = -1;

/**
 * Splits changed pixels into those that count and those inside an ignore region. Where regions overlap, a pixel belongs
 * to the first of them. Regions are in px of the image, `found` are places in the part in ascending order.
 */
export function splitIgnored(found: Int32Array, part: Part, regions: readonly Region[]): SplitPixels {
  const counted = new Int32Array(found.length);
  const ignored = new Int32Array(found.length);
  const ignoredPixels = regions.map(() => 0);
  let [countedEnd, ignoredEnd] = [0, 0];
  let band = bandAt(part.top, part, regions);
  for (const at of found) {
    const y = part.top + Math.floor(at / part.width);
    if (y >= band.endRow) band = bandAt(y, part, regions);
    const region = band.regionOf[at % part.width] ?? NO_REGION;
    if (region === NO_REGION) {
      counted[countedEnd++] = at;
    } else {
      ignored[ignoredEnd++] = at;
      ignoredPixels[region] = (ignoredPixels[region] ?? 0) + 1;
    }
  }
  return {
    counted: counted.subarray(0, countedEnd),
    ignored: ignored.subarray(0, ignoredEnd),
    ignoredPixels,
  };
}

/**
 * The rows from `y` on that the same regions cross, with the region of each column: looked up once for each band, so
 * that a page of many regions costs a pixel no more than one of few.
 */
function bandAt(y: number, { width, left }: Part, regions: readonly Region[]) {
  const regionOf = new Int32Array(width).fill(NO_REGION);
  let endRow = Infinity;
  for (const [index, region] of [...regions.entries()].reverse()) {
    const end = region.y + region.height;
    if (y < region.y) endRow = Math.min(endRow, region.y);
    else if (y < end) {
      endRow = Math.min(endRow, end);
      const from = Math.max(region.x - left, 0);
      regionOf.fill(index, from, Math.max(region.x + region.width - left, from));
    }
  }
  return { endRow, regionOf };
}

/** Adds up ignored pixels by region. */
export function sumIgnored(parts: readonly number[][], regions: readonly Region[]): number[] {
  return regions.map((_region, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
}
