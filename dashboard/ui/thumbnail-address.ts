import { THUMBNAIL_WIDTHS } from "../../shared/links/thumbnail-widths.ts";

/** Of a page longer than this no wide thumbnail is fetched: unpacked it would take more memory than it is worth. */
const LONG_PAGE_PX = 8_000;
const WIDEST_OF_LONG_PAGE_PX = 640;

/**
 * The address of an image as a thumbnail that is sharp enough.
 * @param link of the image @param page its size, px @param neededPx how wide it is shown as a whole, device px
 * @param band which part of the page is needed; null for the whole
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
