import { z } from "zod";
import { THUMBNAIL_WIDTHS } from "../thumbnail-widths.ts";

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
