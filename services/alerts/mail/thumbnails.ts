import sharp from "sharp";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { ImageStore } from "../../../shared/contracts/image-store.ts";
import type { Regression } from "../../../shared/contracts/monitors/alert-actions.ts";
import { cropAround } from "../../../shared/report/crop.ts";
import { drawDifference, drawPart, type Size } from "../../../shared/report/draw-change.ts";

/** Twice the displayed size, for high-resolution screens. */
const SIZE: Size = { width: 352, height: 220 };
const QUALITY = 70;
/** Rows below the first changed one that the shown change may span. */
const CHANGE_ROWS = 480;
/** Alpha of a marked mask pixel. See mask.ts. */
const MARKED = 255;

const NAMES = ["Before", "After", "Difference"] as const;

interface Thumbnail {
  name: (typeof NAMES)[number];
  jpeg: Buffer;
}

/**
 * Thumbnails of the last pages are cached, about 60 kB each, so that an alert to many receivers creates them once.
 */
const MAX_CACHED_PAGES = 32;

type Images = Pick<ImageStore, "get">;

/** Creates thumbnails of changes for mails. */
export class Thumbnails {
  readonly #images: Images;
  /** Thumbnails being created, with the signals of their callers. */
  readonly #pending = new Map<string, { thumbnails: Promise<Thumbnail[]>; signals: AbortSignal[] }>();
  /** Oldest first. */
  readonly #cached = new Map<string, Thumbnail[]>();
  /** Creates thumbnails of one page at a time. The largest images take about 300 MB when decoded. */
  #previous: Promise<unknown> = Promise.resolve();

  constructor(images: Images) {
    this.#images = images;
  }

  /**
   * Returns thumbnails before, after, and of the difference, if their images still exist. The work stops when all
   * callers have aborted.
   * @throws Error if all callers aborted
   */
  async of({ images }: Pick<Regression, "images">, signal: AbortSignal): Promise<Thumbnail[]> {
    const key = JSON.stringify([images.baseline, images.current, images.diff]);
    const cached = this.#cached.get(key);
    if (cached) return cached;
    const pending = this.#pending.get(key);
    if (pending) {
      pending.signals.push(signal);
      return pending.thumbnails;
    }
    const signals = [signal];
    const isWanted = () => signals.some(one => !one.aborted);
    const thumbnails = this.#previous.then(() => make(this.#images, images, isWanted));
    this.#previous = thumbnails.catch(() => {});
    this.#pending.set(key, { thumbnails, signals });
    try {
      this.#keep(key, await thumbnails);
    } finally {
      this.#pending.delete(key);
    }
    return thumbnails;
  }

  #keep(key: string, thumbnails: Thumbnail[]): void {
    // An image that failed to load may be available next time.
    if (thumbnails.length < NAMES.length) return;
    this.#cached.set(key, thumbnails);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= MAX_CACHED_PAGES) return;
      this.#cached.delete(oldest);
    }
  }
}

/** Creates the thumbnails of a change. @param isWanted called before each longer step */
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
  const thumbnails: Thumbnail[] = [];
  if (before) thumbnails.push({ name: "Before", jpeg: await step(() => thumbnail(before, crop)) });
  if (after) thumbnails.push({ name: "After", jpeg: await step(() => thumbnail(after, crop)) });
  if (mask)
    thumbnails.push({
      name: "Difference",
      jpeg: await step(async () => jpegOf(await drawDifference(page, mask, crop, SIZE))),
    });
  return thumbnails;
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
 * Returns the box around the first change of a mask. Null if the mask marks nothing. A mask has up to 77 million
 * pixels. A native byte search keeps the process blocked for milliseconds only.
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
