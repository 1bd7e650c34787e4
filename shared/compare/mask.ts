import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Palette entry 0 is an unchanged pixel, entry 1 a changed one. */
const PALETTE = Buffer.from([0, 0, 0, 0xff, 0x00, 0xff]);
const PALETTE_ALPHA = Buffer.from([0, 255]);
/** Masks are mostly empty, so the fastest level compresses them nearly as well as the best. */
const DEFLATE_LEVEL = 1;

/**
 * Returns the bytes of a mask's scanline: a filter byte, then eight pixels per byte, the leftmost in the highest bit.
 */
export function maskStride(width: number): number {
  return 1 + Math.ceil(width / 8);
}

/** Encodes scanlines of one bit per pixel as a PNG: magenta for set bits, transparent for others. */
export function encodeMask(width: number, height: number, scanlines: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 3, 0, 0, 0], 8); // one bit per pixel, palette; deflate, adaptive filters, not interlaced
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", PALETTE),
    chunk("tRNS", PALETTE_ALPHA),
    chunk("IDAT", deflateSync(scanlines, { level: DEFLATE_LEVEL })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, "latin1");
  framed.set(data, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8);
  return framed;
}
