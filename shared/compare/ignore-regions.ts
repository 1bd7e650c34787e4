import type { Region } from "./comparison.ts";

/** A part of an image at this position. */
interface Part {
  width: number;
  left: number;
  top: number;
}

/** Changed pixels of a part, as positions in it, from left to right and from top to bottom. */
export interface SplitPixels {
  counted: Int32Array;
  ignored: Int32Array;
  /** Number of ignored pixels in each region, in the order of the regions. */
  ignoredPixels: number[];
}

const NO_REGION = -1;

/**
 * Splits changed pixels into those that count and those inside an ignore region. In overlapping regions, a pixel
 * belongs to the first one. Regions are in px of the image. `found` has positions in the part, in ascending order.
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
 * Returns the rows from `y` on that intersect the same regions, with the region of each column. It is computed once per
 * band, so that many regions cost a pixel no more than few.
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

/** Sums up ignored pixels by region. */
export function sumIgnored(parts: readonly number[][], regions: readonly Region[]): number[] {
  return regions.map((_region, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
}
