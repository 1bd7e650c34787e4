import sharp from "sharp";
import type { Region } from "../../shared/compare/comparison.ts";
import type { Regression } from "../../shared/contracts/alert-actions.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import { cropAround } from "../../shared/report/crop.ts";

/** Twice what a mail shows, for screens that have twice the pixels. */
const WIDTH = 352;
const HEIGHT = 220;
const QUALITY = 70;
/** Rows of a mask below its first changed one that belong to the change which is shown. */
const CHANGE_ROWS = 480;

export interface Thumbnail {
  name: "Before" | "After" | "Difference";
  jpeg: Buffer;
}

/** One page's pictures are in memory at a time: the largest are some 300 MB when they are unpacked. */
let last: Promise<unknown> = Promise.resolve();

/** Small pictures of a change: before, after, and what differs; those of images that are still there. */
export function thumbnailsOf(
  images: Pick<ImageStore, "get">,
  regression: Pick<Regression, "images">,
): Promise<Thumbnail[]> {
  const made = last.then(() => make(images, regression.images));
  last = made.catch(() => {});
  return made;
}

async function make(images: Pick<ImageStore, "get">, hashes: Regression["images"]): Promise<Thumbnail[]> {
  const get = (hash: string | null) => (hash === null ? null : images.get(hash).catch(() => null));
  const mask = await get(hashes.diff);
  const [before, after] = [await get(hashes.baseline), await get(hashes.current)];
  const page = after ?? before;
  if (!page) return [];
  const change = mask && (await firstChange(mask));
  const { width, height } = await sizeOf(mask ?? page);
  const crop = cropAround(change ?? undefined, { width, height });
  const pictures: Thumbnail[] = [];
  if (before) pictures.push({ name: "Before", jpeg: await thumbnail(before, crop) });
  if (after) pictures.push({ name: "After", jpeg: await thumbnail(after, crop) });
  if (mask) pictures.push({ name: "Difference", jpeg: await difference(page, mask, crop) });
  return pictures;
}

async function thumbnail(png: Buffer, crop: Region): Promise<Buffer> {
  return sharp(await part(png, crop, "#ffffff"))
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** The mask over the page, which is faded so that it shows. */
async function difference(page: Buffer, mask: Buffer, crop: Region): Promise<Buffer> {
  const faded = await sharp(await part(page, crop, "#ffffff"))
    .greyscale()
    .toColourspace("srgb")
    .linear(0.35, 165)
    .png()
    .toBuffer();
  return sharp(faded)
    .composite([{ input: await part(mask, crop, "#00000000") }])
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** A part of an image, as a thumbnail's PNG; where the image ends before it, the ground is seen. */
async function part(png: Buffer, crop: Region, background: string): Promise<Buffer> {
  const { width, height } = await sizeOf(png);
  const scale = WIDTH / crop.width;
  const within = {
    left: crop.x,
    top: crop.y,
    width: Math.min(crop.width, width - crop.x),
    height: Math.min(crop.height, height - crop.y),
  };
  const ground = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 4, background } });
  if (within.width < 1 || within.height < 1) return ground.png().toBuffer();
  const shown = await sharp(png)
    .extract(within)
    .resize({
      width: Math.max(1, Math.min(WIDTH, Math.round(within.width * scale))),
      height: Math.max(1, Math.min(HEIGHT, Math.round(within.height * scale))),
      fit: "fill",
    })
    .png()
    .toBuffer();
  return ground
    .composite([{ input: shown, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

async function sizeOf(png: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(png).metadata();
  return { width, height };
}

/** The box around the first change of a mask; null for a mask that marks nothing. */
async function firstChange(mask: Buffer): Promise<Region | null> {
  const { data, info } = await sharp(mask)
    .ensureAlpha()
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const first = data.findIndex(alpha => alpha > 0);
  if (first === -1) return null;
  const top = Math.floor(first / info.width);
  const end = Math.min(info.height, top + CHANGE_ROWS);
  let [left, right, bottom] = [info.width, 0, top];
  for (let y = top; y < end; y++) {
    const row = data.subarray(y * info.width, (y + 1) * info.width);
    const [from, to] = [row.findIndex(alpha => alpha > 0), row.findLastIndex(alpha => alpha > 0)];
    if (from === -1) continue;
    [left, right, bottom] = [Math.min(left, from), Math.max(right, to), y];
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
