import Bottleneck from "bottleneck";
import sharp, { type Sharp } from "sharp";
import { type ChangeImage, nameOfChange } from "../../../shared/links/change-image.ts";
import {
  bandOf,
  lastBandOf,
  type PageSize,
  type ThumbnailWidth,
} from "../../../shared/links/thumbnail-widths.ts";
import { drawChange } from "../../../shared/report/draw-change.ts";

/** Each unpacks a page row by row; more at once would take the cores from those who render and compare. */
const AT_ONCE = 2;
/** Those that wait: more than a window shows, few enough that the last comes within seconds. */
const WAITING_AT_MOST = 64;
/** Thumbnails of some thousand pages. Browsers keep what they have seen; this is for the next reader. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** A page of 3,840 × 20,000 px, which is the largest. */
const PIXELS_AT_MOST = 80_000_000;
/** WebP has no more than 16,383. */
const HEIGHT_AT_MOST = 16_000;
/** Quick to make, with text that is still sharp: more effort costs twice the time for a few percent. */
const WEBP = { quality: 78, effort: 1, smartSubsample: false };

/** Which thumbnail of an image is meant. */
export interface ThumbnailKind {
  w: ThumbnailWidth;
  /** Only this band of the page. */
  band: number | undefined;
}

/** Names a thumbnail among those of its image. */
export function nameOf({ w, band }: ThumbnailKind): string {
  return band === undefined ? String(w) : `${w}-${band}`;
}

/** Too many wait for a thumbnail. */
export class TooManyWait extends Error {}

/** Somebody who waits for a thumbnail; false once she has gone. */
type Waits = () => boolean;

interface Making {
  thumbnail: Promise<Buffer>;
  readers: Waits[];
}

/** Small pictures of stored images, made when they are asked for: each once however many ask, a few at a time, the latest kept. */
export class Thumbnails {
  readonly #queue = new Bottleneck({
    maxConcurrent: AT_ONCE,
    highWater: WAITING_AT_MOST,
    strategy: Bottleneck.strategy.OVERFLOW,
  });
  readonly #making = new Map<string, Making>();
  readonly #kept = new Map<string, Buffer>();
  readonly #keptBytesAtMost: number;
  #keptBytes = 0;

  constructor(keptBytesAtMost: number = KEPT_BYTES) {
    this.#keptBytesAtMost = keptBytesAtMost;
  }

  /**
   * The image as a WebP of this width at most, or a band of it; a narrower one keeps its own.
   * @param read the image's PNG @param waits whether the reader is still there
   * @throws TooManyWait; Error where it is no image or is too large, or all who waited have gone
   */
  take(hash: string, kind: ThumbnailKind, read: () => Promise<Buffer>, waits: Waits): Promise<Buffer> {
    const make = async () => this.#make(hash, kind, await read());
    return this.#once(`${hash} ${nameOf(kind)}`, make, waits);
  }

  /**
   * The changed part of three images side by side, as PNG.
   * @param read the PNG of one of them @param waits whether the reader is still there
   * @throws as take does
   */
  takeChange(picture: ChangeImage, read: (hash: string) => Promise<Buffer>, waits: Waits): Promise<Buffer> {
    const key = nameOfChange(picture);
    const make = async () => {
      const baseline = await read(picture.baseline);
      const [current, diff] = [await read(picture.current), await read(picture.diff)];
      return this.#keep(key, await drawChange({ baseline, current, diff }, picture.crop));
    };
    return this.#once(key, make, waits);
  }

  #once(key: string, make: () => Promise<Buffer>, waits: Waits): Promise<Buffer> {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#keep(key, kept);
      return Promise.resolve(kept);
    }
    const underWay = this.#making.get(key);
    if (underWay) {
      underWay.readers.push(waits);
      return underWay.thumbnail;
    }
    const readers = [waits];
    const thumbnail = this.#queue
      .schedule(async () => {
        if (!readers.some(isThere => isThere()))
          throw new Error("All requests for this thumbnail were closed.");
        return make();
      })
      .catch(error => {
        throw error instanceof Bottleneck.BottleneckError ? new TooManyWait() : error;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, { thumbnail, readers });
    return thumbnail;
  }

  /** A band below the page's last is that one, and kept once. */
  async #make(hash: string, { w, band }: ThumbnailKind, png: Buffer): Promise<Buffer> {
    const image = sharp(png, { limitInputPixels: PIXELS_AT_MOST, sequentialRead: true });
    const { width, height } = await image.metadata();
    const kind = { w, band: band === undefined ? undefined : Math.min(band, lastBandOf({ width, height })) };
    const key = `${hash} ${nameOf(kind)}`;
    return this.#keep(key, this.#kept.get(key) ?? (await shrink(image, { width, height }, kind)));
  }

  /** As the latest, at the cost of those that were asked for longest ago. */
  #keep(key: string, thumbnail: Buffer): Buffer {
    this.#keptBytes += thumbnail.length - (this.#kept.get(key)?.length ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, thumbnail);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= this.#keptBytesAtMost) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
    return thumbnail;
  }
}

function shrink(image: Sharp, page: PageSize, { w, band }: ThumbnailKind): Promise<Buffer> {
  // What is below it is not even unpacked.
  if (band !== undefined) image.extract({ left: 0, width: page.width, ...bandOf(page, band) });
  return image
    .resize({ width: w, height: HEIGHT_AT_MOST, fit: "inside", withoutEnlargement: true })
    .webp(WEBP)
    .toBuffer();
}
