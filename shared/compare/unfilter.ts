import { UnreadableImageError } from "./png-file.ts";

/**
 * Undoes PNG's scanline filters in place (PNG specification, section 9).
 *
 * `strip` has whole scanlines, each with a filter byte and `rowBytes` bytes. `above` is the row before the first,
 * unfiltered. Returns the last row as a view into the strip. Throws an `UnreadableImageError` for an unknown filter.
 */
export function unfilter(strip: Buffer, rowBytes: number, pixelBytes: number, above: Uint8Array): Uint8Array {
  const zeros = Buffer.alloc(rowBytes);
  let previous = above;
  for (let at = 0; at < strip.length; at += rowBytes + 1) {
    const row = strip.subarray(at + 1, at + 1 + rowBytes);
    // Many rows of a page repeat the row above. Native code detects and copies them many times faster.
    if (strip[at] === UP && row.equals(zeros)) row.set(previous);
    else undoOf(strip[at])(row, previous, pixelBytes);
    previous = row;
  }
  return previous;
}

/**
 * Works like `unfilter`, but leaves the strip unchanged and returns a copy of its last row, in about two thirds of the
 * time.
 */
export function lastRow(strip: Buffer, rowBytes: number, pixelBytes: number, above: Uint8Array): Uint8Array {
  const zeros = Buffer.alloc(rowBytes);
  let [last, spare] = [new Uint8Array(above), new Uint8Array(rowBytes)];
  for (let at = 0; at < strip.length; at += rowBytes + 1) {
    const row = strip.subarray(at + 1, at + 1 + rowBytes);
    if (strip[at] === UP) {
      // Addition is commutative, so the result can be written to either row.
      if (!row.equals(zeros)) undoUp(last, row);
    } else {
      spare.set(row);
      undoOf(strip[at])(spare, last, pixelBytes);
      [last, spare] = [spare, last];
    }
  }
  return last;
}

type Undo = (row: Uint8Array, above: Uint8Array, pixelBytes: number) => void;

const UP = 2;
/** Functions by filter byte. */
const UNDO: Undo[] = [() => {}, undoSub, undoUp, undoAverage, undoPaeth];

function undoOf(filter = 0): Undo {
  const undo = UNDO[filter];
  if (!undo) throw new UnreadableImageError("the PNG is damaged: a row has an unknown filter");
  return undo;
}

function undoSub(row: Uint8Array, _above: Uint8Array, pixelBytes: number): void {
  for (let i = pixelBytes; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - pixelBytes] ?? 0);
}

/** Undoes the filter of most rows in screenshots. It adds four bytes at a time, with their carries kept apart. */
function undoUp(row: Uint8Array, above: Uint8Array): void {
  const sums = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const terms = new DataView(above.buffer, above.byteOffset, above.byteLength);
  const whole = row.length - (row.length % 4);
  for (let i = 0; i < whole; i += 4) {
    const a = sums.getInt32(i, true);
    const b = terms.getInt32(i, true);
    sums.setInt32(i, ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080), true);
  }
  for (let i = whole; i < row.length; i++) row[i] = (row[i] ?? 0) + (above[i] ?? 0);
}

function undoAverage(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  for (let i = 0; i < row.length; i++) {
    const left = i < pixelBytes ? 0 : (row[i - pixelBytes] ?? 0);
    row[i] = (row[i] ?? 0) + ((left + (above[i] ?? 0)) >> 1);
  }
}

function undoPaeth(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  for (let channel = 0; channel < pixelBytes; channel++) {
    let left = 0;
    let corner = 0;
    for (let i = channel; i < row.length; i += pixelBytes) {
      const up = above[i] ?? 0;
      const fromLeft = Math.abs(up - corner);
      const fromUp = Math.abs(left - corner);
      const fromCorner = Math.abs(left + up - corner - corner);
      const nearest =
        fromLeft <= fromUp && fromLeft <= fromCorner ? left : fromUp <= fromCorner ? up : corner;
      left = ((row[i] ?? 0) + nearest) & 0xff;
      corner = up;
      row[i] = left;
    }
  }
}
