import { crc32 } from "node:zlib";

/** The bytes aren't a PNG that can be compared. The message is the reason. */
export class UnreadableImageError extends Error {
  override name = "UnreadableImageError";
}

/** The reason for inconsistent files. */
export const DAMAGED = "the PNG is damaged or incomplete";

/** Maximum height of captured pages, 20,000 CSS px, with the most image pixels per CSS pixel of any device. */
const MAX_SIDE = 20_000 * 4.5;
/** Computed with the largest viewport. */
const MAX_PIXELS = 3840 * 20_000;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a chunk's length, type, and checksum. */
const CHUNK_FRAME_BYTES = 12;
const HEADER_END = 33;

/** A PNG file with its size and format. Its pixels are still compressed. */
export interface PngFile {
  bytes: Buffer;
  width: number;
  height: number;
  colorType: number;
  /** Bits per sample, or per index in a palette. */
  depth: number;
  /** Bytes per pixel if its rows are plain 8-bit RGB (3) or RGBA (4), else null. */
  plainPixelBytes: 3 | 4 | null;
}

/** Reads a PNG's size and format. Throws an `UnreadableImageError` if it has none or too many pixels. */
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
 * Throws an `UnreadableImageError` for a size that no capture has, of one image or of the union of two. Call it before
 * decoding, so that a small file can't request more memory than there is.
 */
export function requireComparable(width: number, height: number): void {
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS) return;
  throw new UnreadableImageError(
    `the PNG has ${width} × ${height} pixels. At most ${MAX_SIDE.toLocaleString("en-US")} per side and ${MAX_PIXELS.toLocaleString("en-US")} in total can be compared`,
  );
}

/** zlib's header: deflate, a checksum, and no dictionary (RFC 1950, section 2.2). */
const ZLIB_HEADER_BYTES = 2;
const DEFLATE = 8;
const HAS_DICTIONARY = 0x20;

/**
 * Returns a copy of the deflated scanlines without zlib's header. zlib's checksum follows them, but it isn't needed,
 * because chunks have their own. Throws an `UnreadableImageError` for an unknown compression.
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
 * Verifies the checksums of all chunks, including those without pixels. Throws an `UnreadableImageError` if one is
 * damaged or missing.
 */
export function requireComplete({ bytes }: PngFile): void {
  let hasData = false;
  for (const { type, isComplete } of chunks(bytes)) {
    if (!isComplete()) break;
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
    // A transparent color changes pixels. Profiles and gamma don't: like in pixelmatch, samples are taken as stored.
    if (type !== "IHDR" && (type === "tRNS" || !isAncillary(type))) return null;
  }
  return null;
}

/**
 * Returns whether a reader may skip an unknown chunk: its first letter is lowercase (PNG specification, section 5.4).
 */
function isAncillary(type: string): boolean {
  return (type.charCodeAt(0) & 0x20) !== 0;
}

interface Chunk {
  type: string;
  data: Buffer;
  /** Whether the chunk is complete, by its checksum. */
  isComplete(): boolean;
}

function* chunks(bytes: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE.length; at + CHUNK_FRAME_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    yield {
      type: bytes.toString("latin1", at + 4, at + 8),
      data: bytes.subarray(at + 8, end),
      isComplete: () =>
        end + 4 <= bytes.length && crc32(bytes.subarray(at + 4, end)) === bytes.readUInt32BE(end),
    };
    at = end + 4;
  }
}
