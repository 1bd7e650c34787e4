import { crc32 } from "node:zlib";

/** The bytes are no PNG that can be compared; the message says why. */
export class UnreadableImageError extends Error {
  override name = "UnreadableImageError";
}

/** What is said of a file of which something does not add up. */
export const DAMAGED = "the PNG is damaged or incomplete";

/** The greatest page height that is captured, px; no image is wider either. */
const MAX_SIDE = 20_000;
/** By the widest viewport. */
const MAX_PIXELS = 3840 * MAX_SIDE;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A chunk's length, type and checksum. */
const CHUNK_FRAME_BYTES = 12;
const HEADER_END = 33;

/** A PNG file whose size and format are read, and whose pixels are still packed. */
export interface PngFile {
  bytes: Buffer;
  width: number;
  height: number;
  colorType: number;
  /** Bits of a sample, in a palette of an index. */
  depth: number;
  /** Bytes a pixel when its rows are just 8-bit RGB (3) or RGBA (4), else null. */
  plainPixelBytes: 3 | 4 | null;
}

/** Reads a PNG's size and format. Throws an `UnreadableImageError` when it has none or is over the pixel bound. */
export function openPng(png: Uint8Array): PngFile {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new UnreadableImageError("the file is not a PNG");
  }
  if (bytes.length < HEADER_END || bytes.toString("latin1", 12, 16) !== "IHDR") {
    throw new UnreadableImageError("the PNG has no header");
  }
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  if (width === 0 || height === 0) throw new UnreadableImageError("the PNG has no pixels");
  requireComparable(width, height);
  const [depth = 0, colorType = 0] = bytes.subarray(24, 26);
  return { bytes, width, height, depth, colorType, plainPixelBytes: plainPixelBytes(bytes) };
}

/**
 * Throws an `UnreadableImageError` on a size that no capture has, of an image or of what two cover together. Before
 * anything is decoded, so that a small file cannot claim memory that is not there.
 */
export function requireComparable(width: number, height: number): void {
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS) return;
  throw new UnreadableImageError(
    `the PNG has ${width} × ${height} pixels. At most ${MAX_SIDE.toLocaleString("en-US")} per side and ${MAX_PIXELS.toLocaleString("en-US")} in total can be compared`,
  );
}

/** zlib's header: deflate, a checksum of its own, and no dictionary (RFC 1950, section 2.2). */
const ZLIB_HEADER_BYTES = 2;
const DEFLATE = 8;
const HAS_DICTIONARY = 0x20;

/**
 * The deflated scanlines, copied, without zlib's header. Behind them is zlib's checksum of the scanlines, which is of
 * no use here: the chunks have theirs. Throws an `UnreadableImageError` when they are packed in no known way.
 */
export function imageData({ bytes }: PngFile): Buffer {
  const parts: Buffer[] = [];
  for (const { type, data } of chunks(bytes)) {
    if (type === "IDAT") parts.push(data);
    if (type === "IEND") break;
  }
  const packed = Buffer.concat(parts);
  const [method = 0, flags = 0] = packed;
  if ((method & 15) !== DEFLATE || (flags & HAS_DICTIONARY) !== 0 || (method * 256 + flags) % 31 !== 0)
    throw new UnreadableImageError(DAMAGED);
  return packed.subarray(ZLIB_HEADER_BYTES);
}

/**
 * Checks the checksums of all chunks, also of those that hold no pixels. Throws an `UnreadableImageError` when one is
 * damaged or missing.
 */
export function requireWhole({ bytes }: PngFile): void {
  let hasData = false;
  for (const { type, isWhole } of chunks(bytes)) {
    if (!isWhole()) break;
    if (type === "IDAT") hasData = true;
    if (type === "IEND" && hasData) return;
  }
  throw new UnreadableImageError(DAMAGED);
}

function plainPixelBytes(bytes: Buffer): 3 | 4 | null {
  const [depth, colorType, compression, filters, interlaced] = bytes.subarray(24, 29);
  if (depth !== 8 || compression !== 0 || filters !== 0 || interlaced !== 0) return null;
  if (colorType !== 2 && colorType !== 6) return null;
  for (const { type } of chunks(bytes)) {
    if (type === "IDAT") return colorType === 2 ? 3 : 4;
    // A transparent colour alters pixels. Profiles and gamma do not: as for pixelmatch, samples count as they are stored.
    if (type !== "IHDR" && (type === "tRNS" || !isAncillary(type))) return null;
  }
  return null;
}

/** Whether a reader may skip a chunk that it does not know: its first letter is small (PNG specification, section 5.4). */
function isAncillary(type: string): boolean {
  return (type.charCodeAt(0) & 0x20) !== 0;
}

interface Chunk {
  type: string;
  data: Buffer;
  /** Whether all of it is there, as its checksum says. */
  isWhole(): boolean;
}

function* chunks(bytes: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE.length; at + CHUNK_FRAME_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    yield {
      type: bytes.toString("latin1", at + 4, at + 8),
      data: bytes.subarray(at + 8, end),
      isWhole: () =>
        end + 4 <= bytes.length && crc32(bytes.subarray(at + 4, end)) === bytes.readUInt32BE(end),
    };
    at = end + 4;
  }
}
