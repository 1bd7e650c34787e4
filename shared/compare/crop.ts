import type { Region } from "./comparison.ts";
import { MARGIN_PX } from "./pixel-rule.ts";
import type { StripCrop } from "./strip-changes.ts";
import type { StripPair } from "./strip-pairs.ts";

/** Rows of a plain image: a strip, and its neighbors if there are any. */
export interface Window {
  previous: StripPair | undefined;
  current: StripPair;
  next: StripPair | undefined;
}

/** Properties of the whole image: its size, bytes per pixel (3 for RGB, 4 for RGBA), and how it is compared. */
interface Image {
  width: number;
  height: number;
  pixelBytes: number;
  maxDelta: number;
  ignoreRegions: readonly Region[];
}

/** Cuts the changed part out of a strip, as RGBA. Returns null if nothing changed. */
export function cropChange(window: Window, image: Image): StripCrop | null {
  const bounds = changedBounds(window.current, image.width, image.pixelBytes);
  if (!bounds) return null;
  const left = Math.max(bounds.left - MARGIN_PX, 0);
  const width = Math.min(bounds.right + MARGIN_PX, image.width) - left;
  const top = Math.max(bounds.top - MARGIN_PX, 0);
  const height = Math.min(bounds.bottom + MARGIN_PX, image.height) - top;
  window.next?.unfilter();
  const before = new Int32Array(width * height);
  const after = new Int32Array(width * height);
  const scanlineBytes = image.width * image.pixelBytes + 1;
  for (let row = 0; row < height; row++) {
    const pair = stripWith(window, top + row);
    const from = (top + row - pair.top) * scanlineBytes + 1 + left * image.pixelBytes;
    // Below the end of the shorter image, its crop stays transparent.
    if (from < pair.before.length) expand(pair.before, from, image.pixelBytes, before, row * width, width);
    if (from < pair.after.length) expand(pair.after, from, image.pixelBytes, after, row * width, width);
  }
  // Plain RGB is opaque, except below the end of the image.
  const possiblyTransparent = (pixels: Int32Array) => (image.pixelBytes === 3 ? pixels.subarray(-1) : pixels);
  return {
    before,
    after,
    width,
    height,
    left,
    top,
    imageWidth: image.width,
    isOpaque: areOpaque(possiblyTransparent(before)) && areOpaque(possiblyTransparent(after)),
    maxDelta: image.maxDelta,
    firstRow: bounds.top,
    endRow: bounds.bottom,
    ignoreRegions: image.ignoreRegions,
  };
}

function areOpaque(pixels: Int32Array): boolean {
  let commonBits = -1;
  for (let i = 0; i < pixels.length; i++) commonBits &= pixels[i] ?? 0;
  return commonBits >> 24 === -1;
}

function stripWith({ previous, current, next }: Window, y: number): StripPair {
  if (y < current.top) return previous ?? current;
  return y < current.top + current.rows ? current : (next ?? current);
}

/** Returns the smallest box around all differences in a strip. Right and bottom are exclusive. */
function changedBounds(pair: StripPair, width: number, pixelBytes: number) {
  if (pair.before === pair.after) return null;
  const rowBytes = width * pixelBytes;
  let [first, last] = [rowBytes, -1];
  let [top, bottom] = [-1, -1];
  for (let row = 0; row < pair.rows; row++) {
    const from = row * (rowBytes + 1) + 1;
    const end = from + rowBytes;
    const hasBoth = Math.min(pair.before.length, pair.after.length) >= end;
    if (hasBoth && pair.before.compare(pair.after, from, end, from, end) === 0) continue;
    if (top === -1) top = pair.top + row;
    bottom = pair.top + row + 1;
    for (let i = 0; i < first; i++) if (pair.before[from + i] !== pair.after[from + i]) first = i;
    for (let i = rowBytes - 1; i > last; i--) if (pair.before[from + i] !== pair.after[from + i]) last = i;
  }
  if (top === -1) return null;
  return { left: Math.floor(first / pixelBytes), right: Math.floor(last / pixelBytes) + 1, top, bottom };
}

/** An alpha of 255. */
const OPAQUE = 0xff000000 | 0;

/** Copies `count` pixels to RGBA, as 32-bit words in the machine's byte order (little-endian). */
function expand(
  bytes: Buffer,
  from: number,
  pixelBytes: number,
  to: Int32Array,
  at: number,
  count: number,
): void {
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (pixelBytes === 4) {
    for (let i = 0; i < count; i++) to[at + i] = source.getInt32(from + i * 4, true);
    return;
  }
  // Reads a pixel's three bytes and the next one. The last pixel may have no next byte.
  for (let i = 0; i < count - 1; i++) to[at + i] = source.getInt32(from + i * 3, true) | OPAQUE;
  const last = from + (count - 1) * 3;
  to[at + count - 1] = source.getUint16(last, true) | (source.getUint8(last + 2) << 16) | OPAQUE;
}
