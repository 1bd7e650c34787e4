import type { Region } from "./comparison.ts";
import { changedPixels } from "./fast-pixel-rule.ts";
import { splitIgnored } from "./ignore-regions.ts";
import { maskStride } from "./mask.ts";
import type { Crop } from "./pixel-rule.ts";

/** Largest gap between changed pixels of one run, in px. It is wider than gaps between words and fields. */
export const JOIN_PX = 24;

/** The changed part of a strip, cut out of both images with the margin that the rule needs. */
export interface StripCrop extends Crop {
  /** First row to compare, in the image. Rows outside of the range are margin. */
  firstRow: number;
  /** Exclusive. */
  endRow: number;
  /** Regions in which changed pixels don't count, in px of the image. */
  ignoreRegions: readonly Region[];
}

/** The changes in some rows of the image. */
export interface StripChanges {
  firstRow: number;
  /** PNG scanlines with one bit per pixel, set for changed pixels, including ignored ones. */
  maskRows: Uint8Array<ArrayBuffer>;
  /** Without ignored pixels, like `runs`. */
  diffPixels: number;
  /** Number of changed pixels in each ignore region. */
  ignoredPixels: number[];
  runs: Run[];
}

/** A horizontal range of changed pixels without a gap above `JOIN_PX`. Both ends are inclusive. */
export interface Run {
  y: number;
  left: number;
  right: number;
  /** Hash of the changed pixels' colors before and after, and of their distances from the left end. */
  hash: number;
}

/** Finds the changed pixels of a crop, by default with the fast form of the rule. */
export function findChanges(crop: StripCrop, pixelsOf = changedPixels): StripChanges {
  const { before, after, width, left, top, firstRow, endRow } = crop;
  const stride = maskStride(crop.imageWidth);
  const maskRows = new Uint8Array(stride * (endRow - firstRow));
  const runs: Run[] = [];
  const found = pixelsOf(crop, firstRow - top, endRow - top);
  const {
    counted: changed,
    ignored,
    ignoredPixels,
  } = crop.ignoreRegions.length > 0
    ? splitIgnored(found, crop, crop.ignoreRegions)
    : { counted: found, ignored: [], ignoredPixels: [] };
  for (const at of ignored) {
    const x = left + (at % width);
    const byte = (Math.floor(at / width) + top - firstRow) * stride + 1 + (x >> 3);
    maskRows[byte] = (maskRows[byte] ?? 0) | (0x80 >> (x & 7));
  }
  for (let next = 0; next < changed.length; ) {
    const row = Math.floor((changed[next] ?? 0) / width);
    const bits = (row + top - firstRow) * stride + 1;
    const start = (changed[next] ?? 0) - row * width;
    let end = start;
    let hash = 0;
    for (; next < changed.length; next++) {
      const at = changed[next] ?? 0;
      const column = at - row * width;
      if (column >= width || column - end > JOIN_PX) break;
      end = column;
      hash = mix(mix(mix(hash, column - start), before[at] ?? 0), after[at] ?? 0);
      const x = left + column;
      const byte = bits + (x >> 3);
      maskRows[byte] = (maskRows[byte] ?? 0) | (0x80 >> (x & 7));
    }
    runs.push({ y: top + row, left: left + start, right: left + end, hash });
  }
  return { firstRow, maskRows, diffPixels: changed.length, ignoredPixels, runs };
}

function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x9e3779b1);
  return product ^ (product >>> 15);
}
