import { on } from "node:events";
import { createInflateRaw } from "node:zlib";
import { DAMAGED, imageData, type PngFile, requireWhole, UnreadableImageError } from "./png-file.ts";
import { lastRow, unfilter } from "./unfilter.ts";

/**
 * The same rows of both images: scanlines of a filter byte (of no meaning any more) and the pixels. To be read until
 * the third pair after this one is asked for: by then its memory serves others.
 */
export interface StripPair {
  /** The first row's place in the image. */
  top: number;
  rows: number;
  isLast: boolean;
  /** Shorter, or empty, where the image ends sooner than the other. */
  before: Buffer;
  /** The same buffer as `before` when the strips are equal. */
  after: Buffer;
  /** To be called before the pixels of equal strips are read; others are unfiltered already. */
  unfilter(): void;
}

/** Bytes of one strip: small enough for both to stay in the processor's cache until they are compared. */
const STRIP_BYTES = 1024 * 1024;
/** A small image has so many strips, too: two threads are to have something to judge, and little around a change is unfiltered. */
const LEAST_STRIPS = 24;
/** So that a strip's neighbours hold the whole margin that pixelmatch needs around it. */
const MIN_STRIP_ROWS = 2;
/** Inflated at once: each way to the thread pool and back takes as long as inflating 100 kB or more. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** A small image comes in so many chunks, too: its first strips are compared while the last ones are inflated. */
const LEAST_CHUNKS = 2;
/**
 * Enough for inflating to go on while strips are compared. Little, as all that is kept here is: V8 collects its garbage
 * whenever a comparison has more than some 24 MB at once.
 */
const AHEAD_BYTES = 6 * 1024 * 1024;
/** Strips still to be read when the next one is asked for: the one that is judged then, and the one above it. */
const STRIPS_READ = 2;
/** zlib's own least size of a chunk. */
const MIN_STRIP_BYTES = 64;

/** The last equal strips are kept filtered, in case that nobody reads their pixels, up to so many bytes. */
const WAITING_BYTES = 8 * STRIP_BYTES;

/** How much of the images is read and kept at once. */
interface Sizes {
  stripBytes?: number | undefined;
  waitingBytes?: number | undefined;
}

/**
 * Reads two plain PNGs of one width and format side by side, a strip of rows at a time, so that memory does not grow
 * with the page. Filtered rows that are equal below equal rows are equal: such a strip is unfiltered once, and not
 * before a change further down, or in the strip above, asks for its pixels.
 *
 * Throws an `UnreadableImageError` when one is damaged, as far as its pixels are asked for.
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
  // Only the last one's pixels can be a margin.
  const unfilterWaiting = () => {
    passFirst(waiting.length - 1);
    passFirst(1, unfilter);
  };
  try {
    for (let top = 0; top < height; top += stripRows) {
      const rows = Math.min(stripRows, height - top);
      const bytesOf = (png: PngFile) => Math.max(0, Math.min(rows, png.height - top)) * scanlineBytes;
      // Those that wait build upon the last row of the strip above them; the other image's equal ones serve nobody.
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
  return Math.min(STRIP_BYTES, Math.ceil(imageBytes / LEAST_STRIPS));
}

function rowsOfStrip(scanlineBytes: number, stripBytes: number): number {
  return Math.max(
    MIN_STRIP_ROWS,
    Math.ceil(MIN_STRIP_BYTES / scanlineBytes),
    Math.floor(stripBytes / scanlineBytes),
  );
}

/**
 * Inflates in the thread pool, ahead of the reader, who says with each call how many of the strips so far are still in
 * use. The others' memory is given back at once: were it left to the garbage collector, every comparison's megabytes
 * would have one run during it.
 */
async function* inflateStrips(
  png: PngFile,
  scanlineBytes: number,
  stripRows: number,
): AsyncGenerator<Buffer, void, number> {
  const stripBytes = stripRows * scanlineBytes;
  const stripsOfPart = Math.ceil(png.height / stripRows / LEAST_CHUNKS);
  const strips = Math.max(1, Math.min(Math.floor(CHUNK_BYTES / stripBytes), stripsOfPart));
  const chunkSize = strips * stripBytes;
  const packed = imageData(png);
  const inflate = createInflateRaw({ chunkSize });
  const held: Buffer[] = [];
  let heldStrips = 0;
  const highWaterMark = Math.max(1, Math.floor(AHEAD_BYTES / chunkSize));
  const chunks = on(inflate, "data", { close: ["end"], highWaterMark, lowWaterMark: 1 });
  try {
    // All at once: only then is every chunk but the last one full, and so of whole strips.
    inflate.end(packed);
    // Meanwhile, once the other image is being inflated, too: this takes as long as the first strips.
    await Promise.resolve();
    requireWhole(png);
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

/** Gives a chunk's memory back, unless it shares that with others, as small buffers do. */
function release(chunk: Buffer | undefined, chunkSize: number): void {
  if (chunk?.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunkSize) chunk.buffer.transfer(0);
}

/** The next strip, which must have the given length; an empty one where none is left. */
async function nextStrip(
  strips: AsyncGenerator<Buffer, void, number>,
  bytes: number,
  inUse: number,
): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  const next = await strips.next(inUse);
  if (next.done || next.value.length < bytes) throw new UnreadableImageError(DAMAGED);
  // The last one comes with whatever lies behind the image, which belongs to no row.
  return next.value.subarray(0, bytes);
}
