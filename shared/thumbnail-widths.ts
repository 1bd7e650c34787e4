/** Widths in which an image can be had beside its own, px: few, so that what was made once is asked for again. */
export const THUMBNAIL_WIDTHS = [160, 320, 640, 1280] as const;

export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];
