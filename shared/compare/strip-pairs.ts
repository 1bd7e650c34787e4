import { on } from "node:events";
import { createInflate } from "node:zlib";
import { imageData, type PngFile, UnreadableImageError } from "./png-file.ts";
import { unfilter } from "./unfilter.ts";

/** The same rows of both images, unfiltered: scanlines of a filter byte (of no meaning any more) and the pixels. */
export interface StripPair {
  /** The first row's place in the image. */
  top: number;
  rows: number;
  before: Buffer;
  /** The same buffer as `before` when the strips are equal. */
  after: Buffer;
}

/** Bytes of one strip: small enough for both to stay in the processor's cache until they are compared. */
const STRIP_BYTES = 1024 * 1024;
/** A small image has so many strips, too: two threads are to have something to judge. */
const LEAST_STRIPS = 8;
/** So that a strip's neighbours hold the whole margin that pixelmatch needs around it. */
const MIN_STRIP_ROWS = 2;
/** Enough for inflating to go on while a strip is compared. */
const STRIPS_AHEAD = 2;
/** zlib's own least size of a chunk. */
const MIN_STRIP_BYTES = 64;

/**
 * Reads two plain PNGs of equal size and format side by side, a strip of rows at a time, so that memory does not grow
 * with the page. Filtered rows that are equal below equal rows are equal: such a strip is unfiltered once.
 *
 * Throws an `UnreadableImageError` when one is damaged.
 */
export async function* stripPairs(
  first: PngFile,
  second: PngFile,
  pixelBytes: number,
  stripBytes = stripBytesOf(first.width * first.height * pixelBytes),
): AsyncGenerator<StripPair> {
  const rowBytes = first.width * pixelBytes;
  const stripRows = rowsOfStrip(rowBytes + 1, stripBytes);
  const strips = [
    inflateStrips(first, rowBytes + 1, stripRows),
    inflateStrips(second, rowBytes + 1, stripRows),
  ] as const;
  try {
    let aboveBefore: Uint8Array = new Uint8Array(rowBytes);
    let aboveAfter: Uint8Array = aboveBefore;
    for (let top = 0; top < first.height; top += stripRows) {
      const rows = Math.min(stripRows, first.height - top);
      const [before, after] = await Promise.all(strips.map(strip => nextStrip(strip, rows * (rowBytes + 1))));
      if (!before || !after) return;
      const isEqual = aboveBefore === aboveAfter && before.equals(after);
      aboveBefore = unfilter(before, rowBytes, pixelBytes, aboveBefore);
      aboveAfter = isEqual ? aboveBefore : unfilter(after, rowBytes, pixelBytes, aboveAfter);
      if (Buffer.compare(aboveBefore, aboveAfter) === 0) aboveAfter = aboveBefore;
      yield { top, rows, before, after: isEqual ? before : after };
    }
  } finally {
    for (const strip of strips) await strip.return(undefined);
  }
}

function stripBytesOf(imageBytes: number): number {
  return Math.min(STRIP_BYTES, Math.ceil(imageBytes / LEAST_STRIPS));
}

function rowsOfStrip(scanlineBytes: number, stripBytes: number): number {
  return Math.max(
    MIN_STRIP_ROWS,
    Math.ceil(MIN_STRIP_BYTES / scanlineBytes),
    Math.floor(stripBytes / scanlineBytes),
  );
}

/** Inflates in the thread pool, some strips ahead of the reader. */
async function* inflateStrips(
  png: PngFile,
  scanlineBytes: number,
  stripRows: number,
): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: stripRows * scanlineBytes });
  const chunks = on(inflate, "data", { close: ["end"], highWaterMark: STRIPS_AHEAD, lowWaterMark: 1 });
  try {
    // All at once: only then is every chunk but the last one full, and so a strip.
    inflate.end(imageData(png));
    for await (const [strip] of chunks) yield strip;
  } catch (error) {
    throw new UnreadableImageError("the PNG is damaged or cut short", { cause: error });
  } finally {
    inflate.destroy();
  }
}

/** The next strip, which must have the given length. */
async function nextStrip(strips: AsyncGenerator<Buffer>, bytes: number): Promise<Buffer> {
  const next = await strips.next();
  if (next.done || next.value.length < bytes)
    throw new UnreadableImageError("the PNG is damaged or cut short");
  // The last one comes with whatever lies behind the image, which belongs to no row.
  return next.value.subarray(0, bytes);
}
