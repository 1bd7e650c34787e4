import sharp from "sharp";
import { type PngFile, UnreadableImageError } from "./png-file.ts";

/** A decoded image: 8-bit RGBA, not premultiplied, rows without padding. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Decodes any PNG. Throws an `UnreadableImageError` when it is damaged. */
export async function decodePng({ bytes, width, height }: PngFile): Promise<Bitmap> {
  try {
    const image = sharp(bytes, {
      limitInputPixels: width * height,
      failOn: "truncated",
      sequentialRead: true,
    });
    const { buffer, byteOffset, byteLength } = await image
      .toColourspace("srgb")
      .ensureAlpha()
      .raw({ depth: "uchar" })
      .toBuffer();
    if (!(buffer instanceof ArrayBuffer)) throw new TypeError("sharp returned memory that is shared");
    return { width, height, data: new Uint8Array(buffer, byteOffset, byteLength) };
  } catch (error) {
    throw new UnreadableImageError("the PNG is damaged or cut short", { cause: error });
  }
}

/** The pixels at the top left of a canvas of the given size, transparent elsewhere. */
export function padBitmap(image: Bitmap, width: number, height: number): Uint8Array<ArrayBuffer> {
  if (image.width === width && image.height === height) return image.data;
  const data = new Uint8Array(width * height * 4);
  const rowBytes = image.width * 4;
  for (let y = 0; y < image.height; y++) {
    data.set(image.data.subarray(y * rowBytes, (y + 1) * rowBytes), y * width * 4);
  }
  return data;
}
