import sharp, { type Sharp } from "sharp";
import { DAMAGED, type PngFile, requireComplete, UnreadableImageError } from "./png-file.ts";

/** PNG color types without an alpha channel (PNG specification, section 11.2.1). */
const GRAY = 0;
const RGB = 2;
/** Ratio of a 16-bit sample to an 8-bit one. */
const WIDE_STEP = 257;

/** A decoded image: 8-bit RGBA, not premultiplied, rows without padding. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer>;
}

/**
 * Decodes any PNG like pngjs, which pixelmatch reads files with. Samples are taken as stored, whatever their profile or
 * gamma, and 16-bit samples are rounded to 8 bits. Throws an `UnreadableImageError` if the file is damaged.
 */
export async function decodePng(file: PngFile): Promise<Bitmap> {
  const { width, height } = file;
  requireComplete(file);
  try {
    const data = file.depth === 16 ? await decodeWide(file) : await decode(file);
    clearTransparent(data, file.colorType);
    return { width, height, data };
  } catch (error) {
    throw new UnreadableImageError(DAMAGED, { cause: error });
  }
}

function open({ bytes, width, height }: PngFile): Sharp {
  return sharp(bytes, {
    limitInputPixels: width * height,
    failOn: "error",
    sequentialRead: true,
    ignoreIcc: true,
  });
}

async function decode(file: PngFile): Promise<Uint8Array<ArrayBuffer>> {
  const image = open(file).toColourspace("srgb").ensureAlpha().raw({ depth: "uchar" });
  return toBytes(await image.toBuffer());
}

/** Scales 16-bit samples here, because sharp drops their lower halves and pngjs rounds them. */
async function decodeWide(file: PngFile): Promise<Uint8Array<ArrayBuffer>> {
  const image = open(file).toColourspace("rgb16").ensureAlpha().raw({ depth: "ushort" });
  const bytes = toBytes(await image.toBuffer());
  const samples = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  const data = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i++) data[i] = Math.round((samples[i] ?? 0) / WIDE_STEP);
  return data;
}

function toBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array<ArrayBuffer> {
  if (!(buffer instanceof ArrayBuffer)) throw new TypeError("sharp returned memory that is shared");
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Clears the transparent color of gray and RGB files like pngjs, so that it equals an image's padding. */
function clearTransparent(data: Uint8Array<ArrayBuffer>, colorType: number): void {
  if (colorType !== GRAY && colorType !== RGB) return;
  const words = new Int32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  for (let i = 0; i < words.length; i++) if ((words[i] ?? 0) >>> 24 === 0) words[i] = 0;
}

/** Returns the image at the top left of a canvas of the given size. The rest is transparent. */
export function padBitmap(image: Bitmap, width: number, height: number): Uint8Array<ArrayBuffer> {
  if (image.width === width && image.height === height) return image.data;
  const data = new Uint8Array(width * height * 4);
  const rowBytes = image.width * 4;
  for (let y = 0; y < image.height; y++) {
    data.set(image.data.subarray(y * rowBytes, (y + 1) * rowBytes), y * width * 4);
  }
  return data;
}
