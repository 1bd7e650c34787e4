import { setImmediate } from "node:timers/promises";
import type { Region } from "./comparison.ts";
import { cropChange, type Window } from "./crop.ts";
import { sumIgnored } from "./ignore-regions.ts";
import { maskStride } from "./mask.ts";
import { COLOR_THRESHOLD, maxDeltaOf } from "./pixel-rule.ts";
import { type PngFile, requireComparable } from "./png-file.ts";
import { findChanges, type Run, type StripChanges, type StripCrop } from "./strip-changes.ts";
import { type StripPair, stripPairs } from "./strip-pairs.ts";

/** All that changed between two images, in the union of their sizes. */
export interface Changes {
  width: number;
  height: number;
  /** Without the ignored ones, as `runs`. */
  diffPixels: number;
  /** Changed pixels in each ignore region. */
  ignoredPixels: number[];
  /** PNG scanlines of one bit a pixel, set where it changed, in ignore regions too. */
  scanlines: Uint8Array;
  /** Top to bottom, left to right. */
  runs: Run[];
}

/** Judges a crop, here or in another thread. */
type FindChanges = (crop: StripCrop) => StripChanges | Promise<StripChanges>;

/** How images are compared. */
export interface CompareOptions {
  /** How far apart two colours may be and still count as one, 0–1: pixelmatch's `threshold`. Default 0.1. */
  colorThreshold?: number | undefined;
  /** Changed pixels in these do not count, px of the union of both images. Default none. */
  ignoreRegions?: readonly Region[] | undefined;
  /** Judges one changed part of the images; by default in this thread. */
  find?: FindChanges | undefined;
}

interface Options extends CompareOptions {
  stripBytes?: number | undefined;
  waitingBytes?: number | undefined;
}

/**
 * Finds the pixels that pixelmatch counts as changed between two images, both padded with transparent pixels to the
 * union of their sizes. Throws an `UnreadableImageError` when one cannot be decoded.
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
    await changesAtOnce(before, after, options),
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
 * The quick way: strip by strip, of each only what differs. Null when the images do not allow it: other than plain
 * RGB or RGBA of one width.
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
    const judged = find(crop);
    found.push(judged);
    // Awaited below; should another strip end the work before that, nobody else catches it.
    Promise.resolve(judged).catch(() => {});
    // Strips that were inflated together come in one turn of the event loop; other threads' answers need another.
    await setImmediate();
  }
  return Promise.all(found);
}

/** The plain way. What it needs is loaded by then only: no screenshot of a browser does, and a thread's start would wait. */
async function changesAtOnce(
  before: PngFile,
  after: PngFile,
  { colorThreshold = COLOR_THRESHOLD, ignoreRegions = [] }: Options,
): Promise<StripChanges> {
  const { changesOfWhole } = await import("./whole-images.ts");
  return changesOfWhole(before, after, { colorThreshold, ignoreRegions });
}

/** Each strip with its neighbours. */
async function* windows(pairs: AsyncIterable<StripPair>): AsyncGenerator<Window> {
  let previous: StripPair | undefined;
  let current: StripPair | undefined;
  for await (const next of pairs) {
    if (current) yield { previous, current, next };
    previous = current;
    current = next;
    // Here, not after the loop: by then the pairs' memory is given back.
    if (next.isLast) yield { previous, current, next: undefined };
  }
}
