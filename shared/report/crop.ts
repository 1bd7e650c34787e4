import type { Region } from "../compare/comparison.ts";
import type { ReportScreenshot } from "./report-model.ts";

/** Width divided by height of a card's thumbnail. */
const THUMBNAIL_ASPECT = 16 / 10;
/** Narrower crops enlarge text until the page is hard to recognize. */
const MIN_CROP_WIDTH_PX = 480;
/** Surroundings of a change that are shown with it. */
const MARGIN_RATIO = 1.6;
/** Width of an image of the changed part: as wide as it is drawn, so that it is never enlarged. */
const MIN_CHANGE_WIDTH_PX = 236;
/** Surroundings on each side of the changed part, px of the page. */
const CHANGE_MARGIN_PX = 24;

export interface Thumbnail {
  /** The image to show: the baseline if the new page ends above the change. */
  side: "current" | "baseline";
  /** Size of the image, px. */
  width: number;
  height: number;
  /** Visible part of the image, px. */
  crop: Region;
}

/**
 * Returns the thumbnail of a screenshot: the first change with its surroundings, otherwise the top of the
 * page.
 */
export function thumbnailOf(shot: ReportScreenshot): Thumbnail | null {
  const { baseline, regions } = shot;
  const first = regions[0];
  const current =
    shot.width !== null && shot.height !== null ? { width: shot.width, height: shot.height } : null;
  const below = current !== null && first !== undefined && first.y >= current.height;
  const side = (current === null || below) && baseline !== null ? "baseline" : "current";
  const size = side === "baseline" ? baseline : current;
  if (size === null || shot.images[side] === null) return null;
  return { side, width: size.width, height: size.height, crop: cropAround(first, size) };
}

/** Returns the part of a page around a change, otherwise its top. */
export function cropAround(region: Region | undefined, page: { width: number; height: number }): Region {
  const wanted = region
    ? Math.max(region.width, region.height * THUMBNAIL_ASPECT) * MARGIN_RATIO
    : page.width;
  const width = Math.round(Math.min(page.width, Math.max(MIN_CROP_WIDTH_PX, wanted)));
  if (region) return cropCenteredOn(region, width, page);
  return { x: 0, y: 0, width, height: Math.round(width / THUMBNAIL_ASPECT) };
}

/**
 * Returns the changed part of a page with its surroundings: the first region, and those that start within one
 * window of it. Null without regions.
 */
export function cropAroundChanges(
  regions: readonly Region[],
  page: { width: number; height: number },
): Region | null {
  const [first, ...others] = regions.toSorted((a, b) => a.y - b.y);
  if (!first) return null;
  const maxHeight = Math.max(1, page.width / THUMBNAIL_ASPECT - 2 * CHANGE_MARGIN_PX);
  const near = others.filter(({ y }) => y < first.y + maxHeight);
  const whole = near.reduce(unite, first);
  // A part that is taller than a window is shown from its top.
  const box = { ...whole, height: Math.min(whole.height, maxHeight) };
  const [besides, above] = [box.width + 2 * CHANGE_MARGIN_PX, box.height + 2 * CHANGE_MARGIN_PX];
  const wanted = Math.max(MIN_CHANGE_WIDTH_PX, besides, above * THUMBNAIL_ASPECT);
  return cropCenteredOn(box, Math.round(Math.min(page.width, wanted)), page);
}

/** Width of a thumbnail's crop on most screens, CSS px. */
const SHOWN_CROP_PX = 320;
/** Gap between a change and its outline there, CSS px. */
const OUTLINE_GAP_PX = 3;

/** Returns the outline of a region in a thumbnail, with a gap so that it doesn't cover a small change. */
export function outlineOf({ x, y, width, height }: Region, crop: Pick<Region, "width">): Region {
  const gap = Math.ceil((OUTLINE_GAP_PX * crop.width) / SHOWN_CROP_PX);
  return { x: x - gap, y: y - gap, width: width + 2 * gap, height: height + 2 * gap };
}

function unite(a: Region, b: Region): Region {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

function cropCenteredOn(region: Region, width: number, page: { width: number; height: number }): Region {
  const height = Math.round(width / THUMBNAIL_ASPECT);
  return {
    x: within(region.x + region.width / 2 - width / 2, page.width - width),
    // A change that is taller than the crop is shown from its top.
    y: within(region.y + Math.min(region.height, height) / 2 - height / 2, page.height - height),
    width,
    height,
  };
}

function within(value: number, max: number): number {
  return Math.round(Math.max(0, Math.min(value, max)));
}
