import { z } from "zod";

/** Screenshots are at most this large. */
const REGION_BOUNDS = { widthPx: 3_840, heightPx: 20_000 } as const;

/** Fields of a rectangle of a page, px, which is CSS pixels: screenshots have one device pixel for each. */
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

/** Returns whether a rectangle ends where screenshots can still be. */
export function isInBounds({ x, y, width, height }: Box): boolean {
  return x + width <= REGION_BOUNDS.widthPx && y + height <= REGION_BOUNDS.heightPx;
}

/** How a rectangle that does not is refused. */
export const OUT_OF_BOUNDS = {
  path: ["width"],
  message: `is too large. The region must lie within ${REGION_BOUNDS.widthPx.toLocaleString("en-US")} × ${REGION_BOUNDS.heightPx.toLocaleString("en-US")} px`,
};

/** Returns the configured ignore regions that are of this width, px. */
export function regionsAt(
  regions: readonly (Box & { viewport?: number | undefined })[] | undefined,
  viewport: number,
): Box[] {
  return (regions ?? [])
    .filter(region => region.viewport === undefined || region.viewport === viewport)
    .map(({ x, y, width, height }) => ({ x, y, width, height }));
}
