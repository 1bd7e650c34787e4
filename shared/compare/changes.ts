import { setImmediate } from "node:timers/promises";
import type { Region } from "./comparison.ts";
import { cropChange, type Window } from "./crop.ts";
import { sumIgnored } from "./ignore-regions.ts";
import { maskStride } from "./mask.ts";
import { COLOR_THRESHOLD, maxDeltaOf } from "./pixel-rule.ts";
import { type PngFile, requireComparable } from "./png-file.ts";
import { findChanges, type Run, type StripChanges, type StripCrop } from "./strip-changes.ts";
import { type StripPair, stripPairs } from "./strip-pairs.ts";

/** All changes between two images, in the union of their sizes. */
export interface Changes {
  width: number;
  height: number;
  /** Without ignored pixels, like `runs`. */
  diffPixels: number;
  /** Number of changed pixels in each ignore region. */
  ignoredPixels: number[];
  /** PNG scanlines with one bit per pixel, set for changed pixels, including ignored ones. */
  scanlines: Uint8Array;
  /** From top to bottom, and from left to right. */
  runs: Run[];
}

/** Finds the changes in a crop, in this thread or another one. */
type FindChanges = (crop: StripCrop) => StripChanges | Promise<StripChanges>;

/** Options of a comparison. */
export interface CompareOptions {
  /** Difference below which two colors count as equal, 0–1. This is pixelmatch's `threshold`. Default: 0.1. */
  colorThreshold?: number | undefined;
  /** Regions in which changed pixels don't count, in px of the union of both images. Default: none. */
  ignoreRegions?: readonly Region[] | undefined;
  /** Finds the changes in a crop. Default: in this thread. */
  find?: FindChanges | undefined;
}

interface Options extends CompareOptions {
  stripBytes?: number | undefined;
  waitingBytes?: number | undefined;
}

/**
 * Finds the pixels that pixelmatch counts as changed between two images. Both are padded with transparent pixels to the
 * union of their sizes. Throws an `UnreadableImageError` if one can't be decoded.
 */
export async function findAllChanges(
  before: PngFile,
  after: PngFile,
  options: Options = {},
): Promise<Changes> {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  requireComparable(width, height);
  const found = (await changesByStrip(before, after, options)) ?? [
    await changesOfImages(before, after, options),
  ];
  const stride = maskStride(width);
  const scanlines = new Uint8Array(stride * height);
  for (const part of found) scanlines.set(part.maskRows, part.firstRow * stride);
  return {
    width,
    height,
    scanlines,
    diffPixels: found.reduce((sum, part) => sum + part.diffPixels, 0),
    ignoredPixels: sumIgnored(
      found.map(part => part.ignoredPixels),
      options.ignoreRegions ?? [],
    ),
    runs: found.flatMap(part => part.runs),
  };
}

/**
 * Compares strip by strip, and only the parts that differ. Returns null unless both images are plain RGB or RGBA with
 * the same width.
 */
async function changesByStrip(
  before: PngFile,
  after: PngFile,
  { find = findChanges, colorThreshold = COLOR_THRESHOLD, ignoreRegions = [], ...sizes }: Options,
): Promise<StripChanges[] | null> {
  const pixelBytes = before.plainPixelBytes;
  if (pixelBytes === null || pixelBytes !== after.plainPixelBytes || before.width !== after.width)
    return null;
  const size = { width: before.width, height: Math.max(before.height, after.height), pixelBytes };
  const image = { ...size, maxDelta: maxDeltaOf(colorThreshold), ignoreRegions };
  const found: (StripChanges | Promise<StripChanges>)[] = [];
  for await (const window of windows(stripPairs(before, after, pixelBytes, sizes))) {
    const crop = cropChange(window, image);
    if (!crop) continue;
    const changes = find(crop);
    found.push(changes);
    // Awaited below. If another strip fails before that, a rejection would be unhandled.
    Promise.resolve(changes).catch(() => {});
    // Strips of one inflated chunk arrive in one turn of the event loop. Answers of other threads need another turn.
    await setImmediate();
  }
  return Promise.all(found);
}

/**
 * Compares the images as a whole. The import is lazy, because it slows down the start of a thread and browser
 * screenshots never need it.
 */
async function changesOfImages(
  before: PngFile,
  after: PngFile,
  { colorThreshold = COLOR_THRESHOLD, ignoreRegions = [] }: Options,
): Promise<StripChanges> {
  const { changesOfWhole } = await import("./whole-images.ts");
  return changesOfWhole(before, after, { colorThreshold, ignoreRegions });
}

/** Yields each strip with its neighbors. */
async function* windows(pairs: AsyncIterable<StripPair>): AsyncGenerator<Window> {
  let previous: StripPair | undefined;
  let current: StripPair | undefined;
  for await (const next of pairs) {
    if (current) yield { previous, current, next };
    previous = current;
    current = next;
    // This can't follow the loop, because the memory of the pairs is released by then.
    if (next.isLast) yield { previous, current, next: undefined };
  }
}
