import { z } from "zod";
import { environmentLabel } from "./screenshot-key.ts";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The largest area in which a rectangle can lie. */
interface Bounds {
  widthPx: number;
  heightPx: number;
}

/** The maximum size of a page in CSS pixels. */
const PAGE_BOUNDS: Bounds = { widthPx: 3_840, heightPx: 20_000 };

/**
 * The maximum size of an image. The largest scale factors are 4.5 of a device and 4 of an environment. Captures cut
 * pages with more pixels than an unscaled page can have, so only factors up to 4 reach the height.
 */
const IMAGE_BOUNDS: Bounds = { widthPx: 4.5 * PAGE_BOUNDS.widthPx, heightPx: 4 * PAGE_BOUNDS.heightPx };

/** Fields of a rectangle on a page, in CSS pixels, and the check of its size. */
export const pageRegion = rectangleWithin(PAGE_BOUNDS, "page");

/** Fields of a rectangle on a screenshot, in pixels of its image, and the check of its size. */
export const imageRegion = rectangleWithin(IMAGE_BOUNDS, "screenshot");

function rectangleWithin({ widthPx, heightPx }: Bounds, area: string) {
  return {
    fields: {
      x: z.int().min(0).max(widthPx).describe(`Distance from the left edge of the ${area} in px`),
      y: z.int().min(0).max(heightPx).describe(`Distance from the top of the ${area} in px`),
      width: z.int().min(1).max(widthPx).describe("px"),
      height: z.int().min(1).max(heightPx).describe("px"),
    },
    isInBounds: ({ x, y, width, height }: Box) => x + width <= widthPx && y + height <= heightPx,
    outOfBounds: {
      path: ["width"],
      message: `is too large. The region must lie within ${widthPx.toLocaleString("en-US")} × ${heightPx.toLocaleString("en-US")} px`,
    },
  };
}

/** A configured ignore region, in CSS pixels. */
interface ConfiguredRegion extends Box {
  /** Width at which it applies, px. Default: all. */
  viewport?: number | undefined;
  /** Name of the environment in which it applies. Default: all. */
  environment?: string | undefined;
}

/** Where ignore regions apply. */
interface RegionTarget {
  /** Width, px. */
  viewport: number;
  /** Null for the default environment. */
  environment: string | null;
  /** Image pixels per CSS pixel. */
  scaleFactor: number;
}

/** Returns the configured ignore regions of a page, in pixels of its image. */
export function regionsAt(
  regions: readonly ConfiguredRegion[] | undefined,
  { viewport, environment, scaleFactor }: RegionTarget,
): Box[] {
  const name = environmentLabel(environment);
  return (regions ?? [])
    .filter(region => (region.viewport ?? viewport) === viewport && (region.environment ?? name) === name)
    .map(region => scaled(region, scaleFactor));
}

/** Scales a rectangle. Pixels that it covers in part are part of it. */
function scaled({ x, y, width, height }: Box, factor: number): Box {
  const [left, top] = [Math.floor(x * factor), Math.floor(y * factor)];
  const [right, bottom] = [Math.ceil((x + width) * factor), Math.ceil((y + height) * factor)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}
