/** Widths in which an image can be had beside its own, px: few, so that what was made once is asked for again. */
export const THUMBNAIL_WIDTHS = [160, 320, 640, 1280] as const;

export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/** Height of a card's picture over its width. */
const IMAGE_RATIO = 10 / 16;
/** A page of 20,000 px at the narrowest viewport has fewer. */
export const MAX_BANDS = 200;

/** px of an image. */
export interface PageSize {
  width: number;
  height: number;
}

/** Part of a page, from top to bottom, px of its image. */
export interface Band {
  top: number;
  height: number;
}

/**
 * A band of a page: two cards' pictures high, each beginning one picture below the one before, so that any picture is
 * whole in one of them. The last one where there are fewer.
 */
export function bandOf(page: PageSize, index: number): Band {
  const step = stepOf(page);
  const top = Math.min(index, lastBandOf(page)) * step;
  return { top, height: Math.min(2 * step, page.height - top) };
}

/** Which band holds a picture that begins so many px below the page's top; null where the whole page is hardly more. */
export function bandAt(page: PageSize, y: number): number | null {
  const step = stepOf(page);
  return page.height <= 2 * step ? null : Math.floor(Math.max(0, y) / step);
}

/** The number of a page's last band. */
export function lastBandOf(page: PageSize): number {
  return Math.max(0, Math.ceil(page.height / stepOf(page)) - 1);
}

function stepOf({ width }: PageSize): number {
  return Math.ceil(width * IMAGE_RATIO);
}
