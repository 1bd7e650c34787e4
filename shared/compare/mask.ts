import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Palette entry 0 is where nothing changed, entry 1 a changed pixel. */
const PALETTE = Buffer.from([0, 0, 0, 0xff, 0x00, 0xff]);
const PALETTE_ALPHA = Buffer.from([0, 255]);
/** Masks are mostly empty: the fastest level packs them nearly as small as the best. */
const DEFLATE_LEVEL = 1;

/** Bytes of a mask's scanline: a filter byte, then eight pixels a byte, the leftmost in the highest bit. */
export function maskStride(width: number): number {
  return 1 + Math.ceil(width / 8);
}

/** Packs scanlines of one bit a pixel into a PNG: magenta where the bit is set, transparent elsewhere. */
export function encodeMask(width: number, height: number, scanlines: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 3, 0, 0, 0], 8); // one bit a pixel, palette; deflate, adaptive filters, not interlaced
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
