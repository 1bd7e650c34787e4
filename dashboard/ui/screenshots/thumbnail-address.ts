import { THUMBNAIL_WIDTHS } from "../../../shared/links/thumbnail-widths.ts";

/** Longer pages get no wide thumbnail: decoded, it would need too much memory. */
const LONG_PAGE_PX = 8_000;
const WIDEST_OF_LONG_PAGE_PX = 640;

/**
 * Returns the URL of an image's thumbnail that is sharp enough.
 * @param link of the image @param page its size, px @param neededPx displayed width of the whole, device px
 * @param band part of the page that is needed; null for all of it
 */
export function thumbnailAddress(
  link: string,
  page: { width: number; height: number },
  neededPx: number,
  band: number | null = null,
): string {
  const most =
    band === null && page.height > LONG_PAGE_PX ? WIDEST_OF_LONG_PAGE_PX : Number.POSITIVE_INFINITY;
  const wanted = Math.min(neededPx, page.width, most);
  const width = THUMBNAIL_WIDTHS.find(each => each >= wanted) ?? THUMBNAIL_WIDTHS.at(-1);
  return band === null ? `${link}?w=${width}` : `${link}?w=${width}&band=${band}`;
}
