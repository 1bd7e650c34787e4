import sharp from "sharp";
import { readPngHeader, UnreadableImageError } from "./png-header.ts";

/** A decoded image: 8-bit RGBA, not premultiplied, rows without padding. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Decodes a PNG file's bytes. Throws an `UnreadableImageError` for anything else, or when it is over the pixel bound. */
export async function decodePng(png: Uint8Array): Promise<Bitmap> {
  const { width, height } = readPngHeader(png);
  try {
    const image = sharp(png, { limitInputPixels: width * height, failOn: "truncated", sequentialRead: true });
    const data = await image.toColourspace("srgb").ensureAlpha().raw({ depth: "uchar" }).toBuffer();
    return { width, height, data };
  } catch (error) {
    throw new UnreadableImageError("the PNG is damaged or cut short", { cause: error });
  }
}
