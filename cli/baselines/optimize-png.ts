import sharp from "sharp";

/** The densest settings. A baseline is written once, but stored and downloaded for years. */
const DENSEST = { compressionLevel: 9, adaptiveFiltering: true, palette: false } as const;

/** Returns the same pixels in fewer bytes if possible, otherwise the given bytes. */
export async function optimizePng(png: Buffer): Promise<Buffer> {
  const packed = await sharp(png).png(DENSEST).toBuffer();
  if (packed.length >= png.length) return png;
  const [before, after] = await Promise.all([pixelsOf(png), pixelsOf(packed)]);
  return before.equals(after) ? packed : png;
}

async function pixelsOf(png: Buffer): Promise<Buffer> {
  return await sharp(png).ensureAlpha().raw().toBuffer();
}
