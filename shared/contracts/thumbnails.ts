import { z } from "zod";

/** Widths in which an image can be had beside its own, px: few, so that what was made once is asked for again. */
export const THUMBNAIL_WIDTHS = [160, 320, 640, 1280] as const;

export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

const WIDTHS = THUMBNAIL_WIDTHS.map(String);

/** Query of `GET /v1/images/…`. What is not of it is left alone: the link was handed out to be opened. */
export const imageQuery = z.object({
  w: z
    .enum(WIDTHS)
    .transform(width => THUMBNAIL_WIDTHS.find(each => String(each) === width))
    .optional()
    .describe("Answer a WebP of the whole image that is so many px wide at most, and 16,000 px high"),
});

export type ImageQuery = z.infer<typeof imageQuery>;
