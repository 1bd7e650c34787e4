import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Region } from "./comparison.ts";
import { maskStride } from "./mask.ts";

const inflateAsync = promisify(inflate);
const SIGNATURE_BYTES = 8;

/** The changed pixels of a comparison. */
export interface Mask {
  width: number;
  height: number;
  /** Scanlines as in `encodeMask`: a filter byte, then one bit per pixel. */
  scanlines: Uint8Array;
}

/** Decodes a mask that `encodeMask` made. @throws Error for other files */
export async function decodeMask(png: Buffer): Promise<Mask> {
  let size: { width: number; height: number } | null = null;
  const data: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") size = { width: body.readUInt32BE(0), height: body.readUInt32BE(4) };
    if (type === "IDAT") data.push(body);
    at += length + 12;
  }
  if (!size) throw new Error("The mask has no header.");
  const bytes = maskStride(size.width) * size.height;
  const scanlines = await inflateAsync(Buffer.concat(data), { maxOutputLength: bytes });
  if (scanlines.length !== bytes) throw new Error("The mask is incomplete.");
  return { ...size, scanlines };
}

/** Numbers of set bits by the value of a byte. */
const SET_BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

/** Returns the number of changed pixels inside a region. */
export function countChanged(mask: Mask, region: Region): number {
  let count = 0;
  forEachByte(mask, region, (at, inside) => {
    count += SET_BITS[(mask.scanlines[at] ?? 0) & inside] ?? 0;
  });
  return count;
}

/** Returns a mask without the changed pixels inside these regions. */
export function withoutChanges(mask: Mask, regions: readonly Region[]): Mask {
  const scanlines = mask.scanlines.slice();
  for (const region of regions)
    forEachByte(mask, region, (at, inside) => {
      scanlines[at] = (scanlines[at] ?? 0) & ~inside;
    });
  return { ...mask, scanlines };
}

/**
 * Visits the bytes of a region, with the bits that are inside. Visiting pixels would take seconds for a long page that
 * changed everywhere.
 */
function forEachByte(
  { width, height }: Mask,
  region: Region,
  visit: (at: number, inside: number) => void,
): void {
  const stride = maskStride(width);
  const [left, right] = [Math.max(0, region.x), Math.min(width, region.x + region.width)];
  if (left >= right) return;
  const [first, last] = [left >> 3, (right - 1) >> 3];
  const bottom = Math.min(height, region.y + region.height);
  for (let y = Math.max(0, region.y); y < bottom; y++) {
    const row = y * stride + 1;
    for (let byte = first; byte <= last; byte++) {
      const fromLeft = byte === first ? 0xff >> (left & 7) : 0xff;
      const toRight = byte === last ? 0xff << (7 - ((right - 1) & 7)) : 0xff;
      visit(row + byte, fromLeft & toRight);
    }
  }
}
