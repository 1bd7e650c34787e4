import { z } from "zod";

/** The maximum size of screenshots. */
const REGION_BOUNDS = { widthPx: 3_840, heightPx: 20_000 } as const;

/** Fields of a rectangle on a page, in CSS pixels. Screenshots have one device pixel per CSS pixel. */
export const regionFields = {
  x: z
    .int()
    .min(0)
    .max(REGION_BOUNDS.widthPx)
    .describe("Distance from the left edge of the screenshot in px"),
  y: z.int().min(0).max(REGION_BOUNDS.heightPx).describe("Distance from the top of the screenshot in px"),
  width: z.int().min(1).max(REGION_BOUNDS.widthPx).describe("px"),
  height: z.int().min(1).max(REGION_BOUNDS.heightPx).describe("px"),
};

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns whether a rectangle lies within the maximum size of screenshots. */
export function isInBounds({ x, y, width, height }: Box): boolean {
  return x + width <= REGION_BOUNDS.widthPx && y + height <= REGION_BOUNDS.heightPx;
}

/** The error for a rectangle that doesn't. */
export const OUT_OF_BOUNDS = {
  path: ["width"],
  message: `is too large. The region must lie within ${REGION_BOUNDS.widthPx.toLocaleString("en-US")} × ${REGION_BOUNDS.heightPx.toLocaleString("en-US")} px`,
};

/** Returns the configured ignore regions of this width, in px. */
export function regionsAt(
  regions: readonly (Box & { viewport?: number | undefined })[] | undefined,
  viewport: number,
): Box[] {
  return (regions ?? [])
    .filter(region => region.viewport === undefined || region.viewport === viewport)
    .map(({ x, y, width, height }) => ({ x, y, width, height }));
}
