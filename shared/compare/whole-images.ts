import pixelmatch from "pixelmatch";
import { decodePng, padBitmap } from "./bitmap.ts";
import type { Region } from "./comparison.ts";
import { type Crop, maxDeltaOf } from "./pixel-rule.ts";
import type { PngFile } from "./png-file.ts";
import { findChanges, type StripChanges } from "./strip-changes.ts";

/** pixelmatch's defaults, made explicit because they define the product's results. */
const PIXELMATCH = { includeAA: false, diffMask: true } as const;

/** Compares any two PNGs: decodes both, pads them to the union of their sizes, and passes them to pixelmatch. */
export async function changesOfWhole(
  before: PngFile,
  after: PngFile,
  { colorThreshold, ignoreRegions }: { colorThreshold: number; ignoreRegions: readonly Region[] },
): Promise<StripChanges> {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const [a, b] = await Promise.all([decodePng(before), decodePng(after)]);
  const crop = {
    before: wordsOf(padBitmap(a, width, height)),
    after: wordsOf(padBitmap(b, width, height)),
    width,
    height,
    left: 0,
    top: 0,
    imageWidth: width,
    isOpaque: false,
    maxDelta: maxDeltaOf(colorThreshold),
    firstRow: 0,
    endRow: height,
    ignoreRegions,
  };
  return findChanges(crop, crop => changedByPixelmatch(crop, colorThreshold));
}

function changedByPixelmatch({ before, after, width, height }: Crop, threshold: number): Int32Array {
  const marks = new Int32Array(width * height);
  const options = { ...PIXELMATCH, threshold };
  const count = pixelmatch(bytesOf(before), bytesOf(after), bytesOf(marks), width, height, options);
  const changed = new Int32Array(count);
  let found = 0;
  for (let at = 0; at < marks.length; at++) if (marks[at] !== 0) changed[found++] = at;
  return changed;
}

function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
