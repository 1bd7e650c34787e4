import { on } from "node:events";
import { createInflateRaw } from "node:zlib";
import { DAMAGED, imageData, type PngFile, requireComplete, UnreadableImageError } from "./png-file.ts";
import { lastRow, unfilter } from "./unfilter.ts";

/**
 * The same rows of both images, as scanlines of a filter byte and the pixels. The filter bytes have no meaning any
 * more. A pair is valid until the third pair after it is requested. Then its memory is reused.
 */
export interface StripPair {
  /** Position of the first row in the image. */
  top: number;
  rows: number;
  isLast: boolean;
  /** Shorter or empty if this image ends before the other one. */
  before: Buffer;
  /** The same buffer as `before` if the strips are equal. */
  after: Buffer;
  /** Must be called before the pixels of equal strips are read. Other strips are unfiltered already. */
  unfilter(): void;
}

/** Bytes of one strip. Two strips stay in the processor's cache until they are compared. */
const STRIP_BYTES = 1024 * 1024;
/**
 * Minimum number of strips, for small images. Two threads then both have work, and few rows around a change are
 * unfiltered.
 */
const MIN_STRIPS = 24;
/** The neighbors of a strip then contain the whole margin that pixelmatch needs. */
const MIN_STRIP_ROWS = 2;
/** Bytes inflated at a time. A round trip to the thread pool takes as long as inflating 100 kB or more. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** Minimum number of chunks, for small images. Their first strips are compared while the last ones are inflated. */
const MIN_CHUNKS = 2;
/**
 * Enough to inflate while strips are compared. It is small, because V8 collects garbage whenever a comparison holds
 * more than about 24 MB.
 */
const AHEAD_BYTES = 6 * 1024 * 1024;
/** Strips in use when the next one is requested: the one that is compared then, and the one above it. */
const STRIPS_READ = 2;
/** zlib's minimum chunk size. */
const MIN_STRIP_BYTES = 64;

/** Maximum bytes of equal strips that stay filtered, in case their pixels aren't needed. */
const WAITING_BYTES = 8 * STRIP_BYTES;

/** How much of the images is read and kept at a time. */
interface Sizes {
  stripBytes?: number | undefined;
  waitingBytes?: number | undefined;
}

/**
 * Reads two plain PNGs of the same width and format side by side, strip by strip, so that memory doesn't grow with the
 * page.
 * Equal filtered rows below equal rows are equal. Such a strip is unfiltered once, and only if a change further down or
 * in the strip above needs its pixels.
 *
 * Throws an `UnreadableImageError` if a file is damaged in the part that is read.
 */
export async function* stripPairs(
  first: PngFile,
  second: PngFile,
  pixelBytes: number,
  { stripBytes, waitingBytes = WAITING_BYTES }: Sizes = {},
): AsyncGenerator<StripPair> {
  const height = Math.max(first.height, second.height);
  const rowBytes = first.width * pixelBytes;
  const scanlineBytes = rowBytes + 1;
  const stripRows = rowsOfStrip(scanlineBytes, stripBytes ?? stripBytesOf(rowBytes * height));
  const stripsOf = (png: PngFile) => inflateStrips(png, scanlineBytes, stripRows);
  const [firstStrips, secondStrips] = [stripsOf(first), stripsOf(second)];
  let aboveBefore: Uint8Array = new Uint8Array(rowBytes);
  let aboveAfter = aboveBefore;
  const waiting: Buffer[] = [];
  const passFirst = (strips: number, lastRowOf = lastRow) => {
    for (const strip of waiting.splice(0, strips)) {
      aboveBefore = lastRowOf(strip, rowBytes, pixelBytes, aboveBefore);
      aboveAfter = aboveBefore;
    }
  };
  // Only the pixels of the last one can be a margin.
  const unfilterWaiting = () => {
    passFirst(waiting.length - 1);
    passFirst(1, unfilter);
  };
  try {
    for (let top = 0; top < height; top += stripRows) {
      const rows = Math.min(stripRows, height - top);
      const bytesOf = (png: PngFile) => Math.max(0, Math.min(rows, png.height - top)) * scanlineBytes;
      // Waiting strips depend on the last row of the strip above them. The equal strips of the other image aren't
      // needed.
      const inUse = Math.max(STRIPS_READ, waiting.length + 1);
      const [before, after] = await Promise.all([
        nextStrip(firstStrips, bytesOf(first), inUse),
        nextStrip(secondStrips, bytesOf(second), STRIPS_READ),
      ]);
      const isEqual = aboveBefore === aboveAfter && before.equals(after);
      if (isEqual) {
        waiting.push(before);
        if (waiting.length > 1 && waiting.length * before.length > waitingBytes) passFirst(1);
      } else {
        unfilterWaiting();
        aboveBefore = unfilter(before, rowBytes, pixelBytes, aboveBefore);
        aboveAfter = unfilter(after, rowBytes, pixelBytes, aboveAfter);
        if (Buffer.compare(aboveBefore, aboveAfter) === 0) aboveAfter = aboveBefore;
      }
      const isLast = top + rows === height;
      yield { top, rows, isLast, before, after: isEqual ? before : after, unfilter: unfilterWaiting };
    }
  } finally {
    for (const strips of [firstStrips, secondStrips]) await strips.return(undefined);
  }
}

function stripBytesOf(imageBytes: number): number {
  return Math.min(STRIP_BYTES, Math.ceil(imageBytes / MIN_STRIPS));
}

function rowsOfStrip(scanlineBytes: number, stripBytes: number): number {
  return Math.max(
    MIN_STRIP_ROWS,
    Math.ceil(MIN_STRIP_BYTES / scanlineBytes),
    Math.floor(stripBytes / scanlineBytes),
  );
}

/**
 * Inflates in the thread pool, ahead of the reader. With each call, the reader passes the number of strips that are
 * still in use. The memory of the others is released at once. Left to the garbage collector, it would cause a
 * collection during every comparison.
 */
async function* inflateStrips(
  png: PngFile,
  scanlineBytes: number,
  stripRows: number,
): AsyncGenerator<Buffer, void, number> {
  const stripBytes = stripRows * scanlineBytes;
  const stripsOfPart = Math.ceil(png.height / stripRows / MIN_CHUNKS);
  const strips = Math.max(1, Math.min(Math.floor(CHUNK_BYTES / stripBytes), stripsOfPart));
  const chunkSize = strips * stripBytes;
  const packed = imageData(png);
  const inflate = createInflateRaw({ chunkSize });
  const held: Buffer[] = [];
  let heldStrips = 0;
  const highWaterMark = Math.max(1, Math.floor(AHEAD_BYTES / chunkSize));
  const chunks = on(inflate, "data", { close: ["end"], highWaterMark, lowWaterMark: 1 });
  try {
    // Written at once: only then is every chunk full except the last, and consists of whole strips.
    inflate.end(packed);
    // This takes as long as the first strips, so it runs once the other image is being inflated too.
    await Promise.resolve();
    requireComplete(png);
    for await (const [chunk] of chunks) {
      held.push(chunk);
      for (let at = 0; at < chunk.length; at += stripBytes) {
        heldStrips++;
        const inUse = yield chunk.subarray(at, at + stripBytes);
        for (; heldStrips - strips >= inUse; heldStrips -= strips) release(held.shift(), chunkSize);
      }
    }
  } catch (error) {
    throw new UnreadableImageError(DAMAGED, { cause: error });
  } finally {
    inflate.destroy();
    for (const chunk of held) release(chunk, chunkSize);
  }
}

/** Releases a chunk's memory, unless it is shared with other buffers, as for small ones. */
function release(chunk: Buffer | undefined, chunkSize: number): void {
  if (chunk?.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunkSize) chunk.buffer.transfer(0);
}

/** Returns the next strip, which must have the given length. Returns an empty one if none is left. */
async function nextStrip(
  strips: AsyncGenerator<Buffer, void, number>,
  bytes: number,
  inUse: number,
): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  const next = await strips.next(inUse);
  if (next.done || next.value.length < bytes) throw new UnreadableImageError(DAMAGED);
  // The last strip may contain bytes after the image, which belong to no row.
  return next.value.subarray(0, bytes);
}
