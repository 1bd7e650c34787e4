import sharp, { type OverlayOptions } from "sharp";
import type { Region } from "../compare/comparison.ts";

/** Alpha of marked pixels in a mask, see mask.ts. */
const MARKED = 255;
/** The color of masks. */
const MARK = [255, 0, 255, 255] as const;
/** Gap between a change and its outline, px of the image. */
const OUTLINE_GAP_PX = 3;
const OUTLINE_PX = 2;
/** Size of each of the three parts. With the gaps, the image is 720 px wide. */
const PANEL: Size = { width: 236, height: 148 };
const FRAME_PX = 1;
const GAP_PX = 3;
const FRAME_COLOR = "#8b9199";
/** Background below the end of an image. */
const GROUND = "#ffffff";

/** px of an image. */
export interface Size {
  width: number;
  height: number;
}

/** The PNGs of a comparison. */
export interface ChangeImages {
  baseline: Buffer;
  current: Buffer;
  /** Transparent for unchanged pixels. */
  diff: Buffer;
}

/** Draws a part of a comparison as one PNG: baseline, current and difference side by side. */
export async function drawChange({ baseline, current, diff }: ChangeImages, crop: Region): Promise<Buffer> {
  const panels = [
    await drawPart(baseline, crop, PANEL),
    await drawPart(current, crop, PANEL),
    await drawDifference(current, diff, crop, PANEL),
  ];
  const framed = { width: PANEL.width + 2 * FRAME_PX, height: PANEL.height + 2 * FRAME_PX };
  const frame = await sharp({ create: { ...framed, channels: 4, background: FRAME_COLOR } })
    .png()
    .toBuffer();
  const layers = panels.flatMap((input, index): OverlayOptions[] => {
    const left = index * (framed.width + GAP_PX);
    return [
      { input: frame, left, top: 0 },
      { input, left: left + FRAME_PX, top: FRAME_PX },
    ];
  });
  const width = panels.length * (framed.width + GAP_PX) - GAP_PX;
  return sharp({ create: { width, height: framed.height, channels: 4, background: "#00000000" } })
    .composite(layers)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Draws a part of an image at a size, as PNG. Fills the area beyond the end of the image. */
export async function drawPart(png: Buffer, crop: Region, size: Size): Promise<Buffer> {
  const ground = sharp({ create: { ...size, channels: 4, background: GROUND } });
  const part = await extentOf(png, crop);
  if (part.width < 1 || part.height < 1) return ground.png().toBuffer();
  const scale = size.width / crop.width;
  const input = await sharp(png, { sequentialRead: true })
    .extract(part)
    .resize({
      width: Math.max(1, Math.min(size.width, Math.round(part.width * scale))),
      height: Math.max(1, Math.min(size.height, Math.round(part.height * scale))),
      fit: "fill",
    })
    .png()
    .toBuffer();
  return ground
    .composite([{ input, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** Draws a faded part of a page with the marks of its mask and an outline around them, as PNG. */
export async function drawDifference(page: Buffer, mask: Buffer, crop: Region, size: Size): Promise<Buffer> {
  const faded = await sharp(await drawPart(page, crop, size))
    .greyscale()
    .toColourspace("srgb")
    .linear(0.35, 165)
    .png()
    .toBuffer();
  const input = await drawMarks(mask, crop, size);
  return sharp(faded)
    .composite([{ input, raw: { ...size, channels: 4 } }])
    .png()
    .toBuffer();
}

/**
 * Draws the marks at the image's size. A single changed pixel stays visible, which resizing would fade away.
 */
async function drawMarks(mask: Buffer, crop: Region, size: Size): Promise<Buffer> {
  const marks = Buffer.alloc(size.width * size.height * MARK.length);
  const part = await extentOf(mask, crop);
  if (part.width < 1 || part.height < 1) return marks;
  const alpha = await sharp(mask, { sequentialRead: true })
    .ensureAlpha()
    .extract(part)
    .extractChannel(3)
    .raw()
    .toBuffer();
  const [scaleX, scaleY] = [size.width / crop.width, size.height / crop.height];
  const put = (x: number, y: number) => marks.set(MARK, (y * size.width + x) * MARK.length);
  let [left, top, right, bottom] = [size.width, size.height, -1, -1];
  for (let at = 0; at < alpha.length; at++) {
    if (alpha[at] !== MARKED) continue;
    const x = Math.min(size.width - 1, Math.floor((at % part.width) * scaleX));
    const y = Math.min(size.height - 1, Math.floor(Math.floor(at / part.width) * scaleY));
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    put(x, y);
  }
  if (right === -1) return marks;
  const grown = OUTLINE_GAP_PX + OUTLINE_PX;
  const [x0, y0] = [Math.max(0, left - grown), Math.max(0, top - grown)];
  const [x1, y1] = [Math.min(size.width - 1, right + grown), Math.min(size.height - 1, bottom + grown)];
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) if (Math.min(x - x0, x1 - x, y - y0, y1 - y) < OUTLINE_PX) put(x, y);
  return marks;
}

/** Returns the part of a crop that is inside the image. */
async function extentOf(png: Buffer, crop: Region) {
  const { width, height } = await sharp(png).metadata();
  return {
    left: crop.x,
    top: crop.y,
    width: Math.min(crop.width, width - crop.x),
    height: Math.min(crop.height, height - crop.y),
  };
}
