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

/** Visits the changed pixels inside a region. Skips empty bytes, since masks are mostly empty. */
export function forEachChanged(
  { width, height, scanlines }: Mask,
  region: Region,
  visit: (x: number, y: number) => void,
): void {
  const stride = maskStride(width);
  const [left, right] = [Math.max(0, region.x), Math.min(width, region.x + region.width)];
  const bottom = Math.min(height, region.y + region.height);
  for (let y = Math.max(0, region.y); y < bottom; y++) {
    const row = y * stride + 1;
    for (let byte = left >> 3; byte << 3 < right; byte++) {
      const bits = scanlines[row + byte] ?? 0;
      if (bits === 0) continue;
      for (let bit = 0; bit < 8; bit++) {
        const x = (byte << 3) + bit;
        if ((bits & (0x80 >> bit)) !== 0 && x >= left && x < right) visit(x, y);
      }
    }
  }
}
