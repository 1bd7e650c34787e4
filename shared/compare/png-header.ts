/** The bytes are no PNG that can be compared; the message says why. */
export class UnreadableImageError extends Error {
  override name = "UnreadableImageError";
}

/**
 * Most pixels one image may have: the widest viewport by the greatest page height that is captured.
 * Checked before anything is decoded, so that a small file cannot claim memory that is not there.
 */
export const MAX_PIXELS = 3840 * 20_000;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const IHDR_LENGTH = 13;

export interface PngHeader {
  width: number;
  height: number;
  bitDepth: number;
  colorType: number;
  interlaced: boolean;
}

/** Reads the size and format from a PNG's first chunk. Throws an `UnreadableImageError`. */
export function readPngHeader(png: Uint8Array): PngHeader {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new UnreadableImageError("the file is not a PNG");
  }
  if (
    bytes.length < 33 ||
    bytes.readUInt32BE(8) !== IHDR_LENGTH ||
    bytes.toString("latin1", 12, 16) !== "IHDR"
  ) {
    throw new UnreadableImageError("the PNG has no header");
  }
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  if (width === 0 || height === 0) throw new UnreadableImageError("the PNG has no pixels");
  if (width * height > MAX_PIXELS) {
    throw new UnreadableImageError(
      `the PNG is ${width} × ${height} pixels; at most ${MAX_PIXELS} in all are compared`,
    );
  }
  return {
    width,
    height,
    bitDepth: bytes.readUInt8(24),
    colorType: bytes.readUInt8(25),
    interlaced: bytes.readUInt8(28) !== 0,
  };
}
