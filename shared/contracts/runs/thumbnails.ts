import { z } from "zod";
import { MAX_BANDS, THUMBNAIL_WIDTHS } from "../../links/thumbnail-widths.ts";

const WIDTHS = THUMBNAIL_WIDTHS.map(String);

/** Query of `GET /v1/images/…`. Other parameters are kept, because the link must open as it was handed out. */
export const imageQuery = z
  .object({
    w: z
      .enum(WIDTHS)
      .transform(width => THUMBNAIL_WIDTHS.find(each => String(each) === width))
      .optional()
      .describe("Returns the image as WebP with at most this width in px, and at most 16,000 px high"),
    band: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_BANDS)
      .optional()
      .describe(
        "With `w`: returns one part of the image, 5/4 as high as wide. Each part starts half its height below the previous one",
      ),
  })
  .refine(({ w, band }) => band === undefined || w !== undefined, {
    path: ["band"],
    message: `requires w, the width of the thumbnail, such as w=${THUMBNAIL_WIDTHS[1]}`,
  });

export type ImageQuery = z.infer<typeof imageQuery>;
