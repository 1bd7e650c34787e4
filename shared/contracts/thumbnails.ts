import { z } from "zod";
import { BANDS_AT_MOST, THUMBNAIL_WIDTHS } from "../thumbnail-widths.ts";

const WIDTHS = THUMBNAIL_WIDTHS.map(String);

/** Query of `GET /v1/images/…`. What is not of it is left alone: the link was handed out to be opened. */
export const imageQuery = z
  .object({
    w: z
      .enum(WIDTHS)
      .transform(width => THUMBNAIL_WIDTHS.find(each => String(each) === width))
      .optional()
      .describe("Answer a WebP of the whole image that is so many px wide at most, and 16,000 px high"),
    band: z.coerce
      .number()
      .int()
      .min(0)
      .max(BANDS_AT_MOST)
      .optional()
      .describe(
        "With w: only a part of it, 5/4 as high as wide; each begins half of that below the one before",
      ),
  })
  .refine(({ w, band }) => band === undefined || w !== undefined, {
    path: ["band"],
    message: `is a part of a thumbnail: say its width too, as w=${THUMBNAIL_WIDTHS[1]}`,
  });

export type ImageQuery = z.infer<typeof imageQuery>;
