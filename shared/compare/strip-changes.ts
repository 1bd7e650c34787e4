import { eachChanged } from "./judge.ts";
import { maskStride } from "./mask.ts";
import type { Crop } from "./pixel-rule.ts";

/** Changed pixels of a row this near to each other, px, are one run: wider than the gaps between words and fields. */
export const JOIN_PX = 24;

/** The part of a strip that differs, cut out of both images with the margin that the rule needs. */
export interface StripCrop extends Crop {
  /** The crop's rows to judge, in the image; those above and below are margin. */
  firstRow: number;
  /** Exclusive. */
  endRow: number;
}

/** What changed in some rows of the image. */
export interface StripChanges {
  firstRow: number;
  /** PNG scanlines of one bit a pixel, set where it changed. */
  maskRows: Uint8Array<ArrayBuffer>;
  diffPixels: number;
  runs: Run[];
}

/** A horizontal stretch of changed pixels with no gap over the joining distance; both ends inclusive. */
export interface Run {
  y: number;
  left: number;
  right: number;
  /** Of the changed pixels' colours before and after and their distances from the left end. */
  hash: number;
}

/** Calls back for each changed pixel of the crop's rows `from` to `to` (exclusive), left to right, top to bottom. */
export type EachChanged = (
  crop: Crop,
  from: number,
  to: number,
  found: (x: number, y: number) => void,
) => void;

/** Finds the changed pixels of a crop. */
export function findChanges(crop: StripCrop, each: EachChanged = eachChanged): StripChanges {
  const { before, after, width, left, top, firstRow, endRow } = crop;
  const stride = maskStride(crop.imageWidth);
  const maskRows = new Uint8Array(stride * (endRow - firstRow));
  const runs: Run[] = [];
  let run: Run | undefined;
  let diffPixels = 0;
  each(crop, firstRow - top, endRow - top, (column, row) => {
    const [x, y] = [left + column, top + row];
    if (!run || run.y !== y || x - run.right > JOIN_PX) {
      run = { y, left: x, right: x, hash: 0 };
      runs.push(run);
    }
    const at = row * width + column;
    run.right = x;
    run.hash = mix(mix(mix(run.hash, x - run.left), before[at] ?? 0), after[at] ?? 0);
    const bits = (y - firstRow) * stride + 1 + (x >> 3);
    maskRows[bits] = (maskRows[bits] ?? 0) | (0x80 >> (x & 7));
    diffPixels++;
  });
  return { firstRow, maskRows, diffPixels, runs };
}

function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x9e3779b1);
  return product ^ (product >>> 15);
}
