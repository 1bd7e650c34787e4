import sharp from "sharp";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { ImageStore } from "../../../shared/contracts/image-store.ts";
import type { Regression } from "../../../shared/contracts/monitors/alert-actions.ts";
import { cropAround } from "../../../shared/report/crop.ts";
import { drawDifference, drawPart, type Size } from "../../../shared/report/draw-change.ts";

/** Twice what a mail shows, for screens that have twice the pixels. */
const SIZE: Size = { width: 352, height: 220 };
const QUALITY = 70;
/** Rows of a mask below its first changed one that belong to the change which is shown. */
const CHANGE_ROWS = 480;
/** Alpha of a pixel of a mask that is marked: see mask.ts. */
const MARKED = 255;

const NAMES = ["Before", "After", "Difference"] as const;

interface Thumbnail {
  name: (typeof NAMES)[number];
  jpeg: Buffer;
}

/** Those of an alert to many are made once: of the last pages they are kept, some 60 kB each. */
const PAGES_KEPT = 32;

type Images = Pick<ImageStore, "get">;

/** Small pictures of changes, as mails have them. */
export class Thumbnails {
  readonly #images: Images;
  /** Those that are being made, with the signals of who waits for them. */
  readonly #making = new Map<string, { pictures: Promise<Thumbnail[]>; signals: AbortSignal[] }>();
  /** The oldest at first. */
  readonly #made = new Map<string, Thumbnail[]>();
  /** One page's are in memory at a time: the largest are some 300 MB when they are unpacked. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(images: Images) {
    this.#images = images;
  }

  /**
   * Before, after, and what differs; those of images that are still there. They are made for as long as somebody waits.
   * @throws Error where nobody did
   */
  async of({ images }: Pick<Regression, "images">, signal: AbortSignal): Promise<Thumbnail[]> {
    const key = JSON.stringify([images.baseline, images.current, images.diff]);
    const made = this.#made.get(key);
    if (made) return made;
    const making = this.#making.get(key);
    if (making) {
      making.signals.push(signal);
      return making.pictures;
    }
    const signals = [signal];
    const isWanted = () => signals.some(one => !one.aborted);
    const pictures = this.#last.then(() => make(this.#images, images, isWanted));
    this.#last = pictures.catch(() => {});
    this.#making.set(key, { pictures, signals });
    try {
      this.#keep(key, await pictures);
    } finally {
      this.#making.delete(key);
    }
    return pictures;
  }

  #keep(key: string, pictures: Thumbnail[]): void {
    // An image that could not be had at the moment may be had the next time.
    if (pictures.length < NAMES.length) return;
    this.#made.set(key, pictures);
    for (const oldest of this.#made.keys()) {
      if (this.#made.size <= PAGES_KEPT) return;
      this.#made.delete(oldest);
    }
  }
}

/** @param isWanted asked before each of the longer steps */
async function make(
  images: Images,
  hashes: Regression["images"],
  isWanted: () => boolean,
): Promise<Thumbnail[]> {
  const step = <T>(take: () => Promise<T>): Promise<T> => {
    if (!isWanted()) throw new Error("These thumbnails are no longer needed.");
    return take();
  };
  const get = (hash: string | null) =>
    step(async () => (hash === null ? null : images.get(hash).catch(() => null)));
  const mask = await get(hashes.diff);
  const [before, after] = [await get(hashes.baseline), await get(hashes.current)];
  const page = after ?? before;
  if (!page) return [];
  const change = mask && (await step(() => firstChange(mask)));
  const { width, height } = await sizeOf(mask ?? page);
  const crop = cropAround(change ?? undefined, { width, height });
  const pictures: Thumbnail[] = [];
  if (before) pictures.push({ name: "Before", jpeg: await step(() => thumbnail(before, crop)) });
  if (after) pictures.push({ name: "After", jpeg: await step(() => thumbnail(after, crop)) });
  if (mask)
    pictures.push({
      name: "Difference",
      jpeg: await step(async () => jpegOf(await drawDifference(page, mask, crop, SIZE))),
    });
  return pictures;
}

async function thumbnail(png: Buffer, crop: Region): Promise<Buffer> {
  return jpegOf(await drawPart(png, crop, SIZE));
}

function jpegOf(png: Buffer): Promise<Buffer> {
  return sharp(png).jpeg({ quality: QUALITY }).toBuffer();
}

async function sizeOf(png: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(png).metadata();
  return { width, height };
}

/**
 * The box around the first change of a mask; null for a mask that marks nothing. A mask is up to 77 million pixels, each
 * marked or clear: they are looked for as bytes, in native code, so that the process stands still for milliseconds.
 */
async function firstChange(mask: Buffer): Promise<Region | null> {
  const { data, info } = await sharp(mask)
    .ensureAlpha()
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const first = data.indexOf(MARKED);
  if (first === -1) return null;
  const top = Math.floor(first / info.width);
  const end = Math.min(info.height, top + CHANGE_ROWS);
  let [left, right, bottom] = [info.width, 0, top];
  for (let y = top; y < end; y++) {
    const row = data.subarray(y * info.width, (y + 1) * info.width);
    const [from, to] = [row.indexOf(MARKED), row.lastIndexOf(MARKED)];
    if (from === -1) continue;
    [left, right, bottom] = [Math.min(left, from), Math.max(right, to), y];
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
