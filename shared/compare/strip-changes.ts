import pixelmatch from "pixelmatch";
import { maskStride } from "./mask.ts";

/** pixelmatch's own defaults, spelled out: they are the product's verdict. */
const PIXELMATCH = { threshold: 0.1, includeAA: false, diffMask: true } as const;

/** Changed pixels of a row this near to each other, px, are one run: wider than the gaps between words and fields. */
export const JOIN_PX = 24;

/** The part of a strip that differs, cut out of both images with the margin that pixelmatch needs. */
export interface Crop {
  /** 8-bit RGBA. */
  before: Uint8Array<ArrayBuffer>;
  after: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  /** Where the crop lies in the image. */
  left: number;
  top: number;
  /** The crop's rows to judge, in the image; those above and below are margin. */
  firstRow: number;
  /** Exclusive. */
  endRow: number;
  imageWidth: number;
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

/** Finds the pixels of a crop that pixelmatch counts as changed. */
export function findChanges(crop: Crop): StripChanges {
  const { width, height, left, top, firstRow, endRow } = crop;
  const changed = new Uint32Array(width * height);
  pixelmatch(crop.before, crop.after, new Uint8Array(changed.buffer), width, height, PIXELMATCH);
  const before = new Uint32Array(crop.before.buffer, crop.before.byteOffset, width * height);
  const after = new Uint32Array(crop.after.buffer, crop.after.byteOffset, width * height);
  const stride = maskStride(crop.imageWidth);
  const maskRows = new Uint8Array(stride * (endRow - firstRow));
  const runs: Run[] = [];
  let diffPixels = 0;
  for (let y = firstRow; y < endRow; y++) {
    let run: Run | undefined;
    const row = (y - top) * width;
    for (let i = row; i < row + width; i++) {
      if (changed[i] === 0) continue;
      const x = left + i - row;
      if (!run || x - run.right > JOIN_PX) {
        run = { y, left: x, right: x, hash: 0 };
        runs.push(run);
      }
      run.right = x;
      run.hash = mix(mix(mix(run.hash, x - run.left), before[i] ?? 0), after[i] ?? 0);
      const bits = (y - firstRow) * stride + 1 + (x >> 3);
      maskRows[bits] = (maskRows[bits] ?? 0) | (0x80 >> (x & 7));
      diffPixels++;
    }
  }
  return { firstRow, maskRows, diffPixels, runs };
}

function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x9e3779b1);
  return product ^ (product >>> 15);
}
