import Bottleneck from "bottleneck";
import { LRUCache } from "lru-cache";
import sharp, { type Sharp } from "sharp";
import { type ChangeImage, nameOfChange } from "../../../shared/links/change-image.ts";
import {
  bandOf,
  lastBandOf,
  type PageSize,
  type ThumbnailWidth,
} from "../../../shared/links/thumbnail-widths.ts";
import { drawChange } from "../../../shared/report/draw-change.ts";

/** Each decodes a page row by row. More would take the processor from rendering and comparing. */
const CONCURRENCY = 2;
/** Waiting requests: more than a window shows, few enough that the last takes seconds. */
const MAX_WAITING = 64;
/** Thumbnails of about a thousand pages. Browsers cache their own, so this serves other readers. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** The largest page has 3,840 × 20,000 px. */
const MAX_PIXELS = 80_000_000;
/** WebP allows at most 16,383. */
const MAX_HEIGHT_PX = 16_000;
/** Fast, with sharp text. More effort takes twice the time for a few percent less size. */
const WEBP = { quality: 78, effort: 1, smartSubsample: false };

/** Width and part of a thumbnail. */
export interface ThumbnailKind {
  w: ThumbnailWidth;
  /** The band of the page. Undefined for the whole page. */
  band: number | undefined;
}

/** Returns the name of a thumbnail among those of its image. */
export function nameOf({ w, band }: ThumbnailKind): string {
  return band === undefined ? String(w) : `${w}-${band}`;
}

/** Too many requests wait for a thumbnail. */
export class QueueFullError extends Error {}

/** Returns whether a reader still waits. */
type IsWaiting = () => boolean;

interface PendingThumbnail {
  thumbnail: Promise<Buffer>;
  readers: IsWaiting[];
}

/**
 * Creates thumbnails of stored images on request: each one once for all readers, a few at a time. It caches the
 * latest.
 */
export class Thumbnails {
  readonly #queue = new Bottleneck({
    maxConcurrent: CONCURRENCY,
    highWater: MAX_WAITING,
    strategy: Bottleneck.strategy.OVERFLOW,
  });
  readonly #pending = new Map<string, PendingThumbnail>();
  readonly #cached: LRUCache<string, Buffer>;

  constructor(maxCachedBytes: number = CACHE_BYTES) {
    this.#cached = new LRUCache({ maxSize: maxCachedBytes, sizeCalculation: ({ length }) => length });
  }

  /**
   * Returns the image, or a band of it, as WebP with at most this width. Narrower images keep theirs.
   * @param read reads the image's PNG
   * @param isWaiting whether the reader still waits
   * @throws QueueFullError; Error if it is no image, is too large, or all readers disconnected
   */
  get(hash: string, kind: ThumbnailKind, read: () => Promise<Buffer>, isWaiting: IsWaiting): Promise<Buffer> {
    const make = async () => this.#make(hash, kind, await read());
    return this.#once(`${hash} ${nameOf(kind)}`, make, isWaiting);
  }

  /**
   * Returns the changed part of three images side by side as PNG.
   * @param read reads the PNG of one of them
   * @param isWaiting whether the reader still waits
   * @throws the same as get
   */
  getChange(
    change: ChangeImage,
    read: (hash: string) => Promise<Buffer>,
    isWaiting: IsWaiting,
  ): Promise<Buffer> {
    const key = nameOfChange(change);
    const make = async () => {
      const baseline = await read(change.baseline);
      const [current, diff] = [await read(change.current), await read(change.diff)];
      return this.#cacheThumbnail(key, await drawChange({ baseline, current, diff }, change.crop));
    };
    return this.#once(key, make, isWaiting);
  }

  #once(key: string, make: () => Promise<Buffer>, isWaiting: IsWaiting): Promise<Buffer> {
    const cached = this.#cached.get(key);
    if (cached) return Promise.resolve(cached);
    const running = this.#pending.get(key);
    if (running) {
      running.readers.push(isWaiting);
      return running.thumbnail;
    }
    const readers = [isWaiting];
    const thumbnail = this.#queue
      .schedule(async () => {
        if (!readers.some(isThere => isThere()))
          throw new Error("All requests for this thumbnail were closed.");
        return make();
      })
      .catch(error => {
        throw error instanceof Bottleneck.BottleneckError ? new QueueFullError() : error;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, { thumbnail, readers });
    return thumbnail;
  }

  /** Creates a thumbnail. A band below the last one is the last one, and is cached once. */
  async #make(hash: string, { w, band }: ThumbnailKind, png: Buffer): Promise<Buffer> {
    const image = sharp(png, { limitInputPixels: MAX_PIXELS, sequentialRead: true });
    const { width, height } = await image.metadata();
    const kind = { w, band: band === undefined ? undefined : Math.min(band, lastBandOf({ width, height })) };
    const key = `${hash} ${nameOf(kind)}`;
    return this.#cacheThumbnail(key, this.#cached.get(key) ?? (await shrink(image, { width, height }, kind)));
  }

  #cacheThumbnail(key: string, thumbnail: Buffer): Buffer {
    this.#cached.set(key, thumbnail);
    return thumbnail;
  }
}

function shrink(image: Sharp, page: PageSize, { w, band }: ThumbnailKind): Promise<Buffer> {
  // Rows below the band are not decoded.
  if (band !== undefined) image.extract({ left: 0, width: page.width, ...bandOf(page, band) });
  return image
    .resize({ width: w, height: MAX_HEIGHT_PX, fit: "inside", withoutEnlargement: true })
    .webp(WEBP)
    .toBuffer();
}
