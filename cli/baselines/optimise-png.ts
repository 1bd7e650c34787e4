import sharp from "sharp";

/** The densest: a baseline is written once, and kept and fetched for years. */
const DENSEST = { compressionLevel: 9, adaptiveFiltering: true, palette: false } as const;

/** The same pixels in fewer bytes where that can be, else the bytes as they are. */
export async function optimisePng(png: Buffer): Promise<Buffer> {
  const packed = await sharp(png).png(DENSEST).toBuffer();
  if (packed.length >= png.length) return png;
  const [before, after] = await Promise.all([pixelsOf(png), pixelsOf(packed)]);
  return before.equals(after) ? packed : png;
}

async function pixelsOf(png: Buffer): Promise<Buffer> {
  return await sharp(png).ensureAlpha().raw().toBuffer();
}
