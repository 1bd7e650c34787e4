/** Widths of thumbnails, in px. They are few, so that a cached one is used again. */
export const THUMBNAIL_WIDTHS = [160, 320, 640, 1280] as const;

export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/** Height of a card's image over its width. */
const IMAGE_RATIO = 10 / 16;
/** A page of 20,000 px at the narrowest viewport has fewer. */
export const MAX_BANDS = 200;

/** Size of an image, in px. */
export interface PageSize {
  width: number;
  height: number;
}

/** A vertical part of a page, in px of its image. */
export interface Band {
  top: number;
  height: number;
}

/**
 * Returns a band of a page: as high as two cards' images, and one image below the previous band. Each card's
 * image is complete in some band. Returns the last band if there are fewer.
 */
export function bandOf(page: PageSize, index: number): Band {
  const step = stepOf(page);
  const top = Math.min(index, lastBandOf(page)) * step;
  return { top, height: Math.min(2 * step, page.height - top) };
}

/** Returns the band with the image that starts at `y`, or null if the whole page is hardly larger. */
export function bandAt(page: PageSize, y: number): number | null {
  const step = stepOf(page);
  return page.height <= 2 * step ? null : Math.floor(Math.max(0, y) / step);
}

/** Returns the number of a page's last band. */
export function lastBandOf(page: PageSize): number {
  return Math.max(0, Math.ceil(page.height / stepOf(page)) - 1);
}

function stepOf({ width }: PageSize): number {
  return Math.ceil(width * IMAGE_RATIO);
}
