import { z } from "zod";
import { environmentLabel } from "./screenshot-key.ts";

/** The maximum size of screenshots. */
const REGION_BOUNDS = { widthPx: 3_840, heightPx: 20_000 } as const;

/** Fields of a rectangle on a screenshot. */
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
