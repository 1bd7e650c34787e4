/** A rectangle in px of the union of both images. The origin is at the top left. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** An ignore region with the number of pixels that it hid. */
export interface IgnoredRegion extends Region {
  /** Selector of its element. Absent for a rectangle. */
  selector?: string | undefined;
  /** Id of its ignore rule. Absent for others. */
  rule?: string | undefined;
  /** Changed pixels inside it, which don't count. */
  pixels: number;
}

/** The result of comparing two screenshots. */
export interface Comparison {
  /** Size of the union of both images, in px. */
  width: number;
  height: number;
  /**
   * Number of changed pixels: pixelmatch's count at the given `colorThreshold` with anti-aliased pixels ignored,
   * without those inside ignore regions.
   */
  diffPixels: number;
  /** `diffPixels` as a share of all pixels of the union, 0–1. */
  diffRatio: number;
  /**
   * Number of pixels whose colors differ by less than the default color threshold, without smoothed edges. They are
   * counted only if no other pixel outside of ignore regions differs, and only at the default color threshold.
   */
  faintPixels: number;
  /** Bounding boxes of the changes outside of ignore regions, from top to bottom. Those of faint pixels, if counted. */
  regions: Region[];
  /** The given ignore regions, each with the number of pixels that it hid. */
  ignored: IgnoredRegion[];
  /**
   * PNG of the union's size: changed pixels are magenta, including ignored ones, and others are transparent. Null if
   * nothing changed.
   */
  mask: Buffer | null;
  /**
   * Equal for identical changes anywhere on a page, if they are at least 2 px from its edges. Null if nothing changed.
   */
  fingerprint: string | null;
}

/** Returns the comparison of two identical images of this size, in px. */
export function unchanged(
  { width, height }: { width: number; height: number },
  ignoreRegions: readonly Region[] = [],
): Comparison {
  const ignored = ignoreRegions.map(region => ({ ...region, pixels: 0 }));
  return {
    ...{ width, height, diffPixels: 0, diffRatio: 0, faintPixels: 0 },
    ...{ regions: [], ignored, mask: null, fingerprint: null },
  };
}

/** Returns the number of pixels outside of ignore regions that differ, however little. */
export function differingPixels({
  diffPixels,
  faintPixels,
}: {
  /** Null without a comparison. */
  diffPixels: number | null;
  faintPixels: number;
}): number {
  return (diffPixels ?? 0) + faintPixels;
}
