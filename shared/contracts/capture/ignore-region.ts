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

/** Where a configured ignore region applies. */
interface IgnoredWhere {
  /** Width at which it applies, px. Default: all. */
  viewport?: number | undefined;
  /** Name of the environment in which it applies. Default: all. */
  environment?: string | undefined;
}

/** The elements of an ignore region. */
export interface IgnoreSelector {
  /** CSS selector. */
  selector: string;
  /** Space around each element, CSS px. Default: 0. */
  padding?: number | undefined;
  /** Whether it is no remark that no element matches. */
  isOptional?: boolean | undefined;
}

/** A configured ignore region: a rectangle in CSS pixels, or elements. */
type ConfiguredRegion = (Box | IgnoreSelector) & IgnoredWhere;

/** The page to which ignore regions apply. */
interface RegionTarget {
  /** Width, px. */
  viewport: number;
  /** Null for the default environment. */
  environment: string | null;
}

/** Returns the configured rectangles of a page, in pixels of its image. @param scaleFactor image px per CSS px */
export function regionsAt(
  regions: readonly ConfiguredRegion[] | undefined,
  { scaleFactor, ...target }: RegionTarget & { scaleFactor: number },
): Box[] {
  return applying(regions, target).flatMap(region =>
    "selector" in region ? [] : [scaled(region, scaleFactor)],
  );
}

/** Returns the selectors of a page's ignore regions. */
export function ignoreSelectorsAt(
  regions: readonly ConfiguredRegion[] | undefined,
  target: RegionTarget,
): IgnoreSelector[] {
  return applying(regions, target).flatMap(region => {
    if (!("selector" in region)) return [];
    const { selector, padding } = region;
    return [{ selector, ...(padding !== undefined && { padding }) }];
  });
}

function applying(
  regions: readonly ConfiguredRegion[] | undefined,
  { viewport, environment }: RegionTarget,
): ConfiguredRegion[] {
  const name = environmentLabel(environment);
  return (regions ?? []).filter(
    region => (region.viewport ?? viewport) === viewport && (region.environment ?? name) === name,
  );
}

const box = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });

/** The elements of an ignore region's selector in a screenshot. */
export const selectorRegionsSchema = z.object({
  selector: z.string(),
  /** Elements that the image shows. Only the first ones are regions if there are too many. */
  matches: z.int(),
  /** px of the image. */
  regions: z.array(box),
});

export type SelectorRegions = z.infer<typeof selectorRegionsSchema>;

/** An ignore region in pixels of the image, with the selector or the ignore rule that it is from. */
export interface AppliedRegion extends Box {
  selector?: string | undefined;
  /** Id of the rule. */
  rule?: string | undefined;
}

/**
 * Returns the ignore regions of a comparison: rectangles, then the elements in both screenshots. An element that moved
 * changes pixels in both places. Only selectors of the new screenshot count.
 */
export function joinRegions(
  rectangles: readonly AppliedRegion[],
  current: readonly SelectorRegions[],
  baseline: readonly SelectorRegions[],
): AppliedRegion[] {
  const wanted = new Set(current.map(({ selector }) => selector));
  const elements = [...current, ...baseline.filter(({ selector }) => wanted.has(selector))].flatMap(
    ({ selector, regions }) => regions.map(region => ({ ...region, selector })),
  );
  const all = [...rectangles.filter(({ selector }) => selector === undefined), ...elements];
  return [...new Map(all.map(region => [JSON.stringify(Object.values(region)), region])).values()];
}

/** Scales a rectangle. Pixels that it covers in part are part of it. */
export function scaled({ x, y, width, height }: Box, factor: number): Box {
  const [left, top] = [Math.floor(x * factor), Math.floor(y * factor)];
  const [right, bottom] = [Math.ceil((x + width) * factor), Math.ceil((y + height) * factor)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}
