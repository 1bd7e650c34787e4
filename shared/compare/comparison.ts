/** A rectangle in pixels of the union of both images, origin at the top left. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** An ignore region with what it hid. */
export interface IgnoredRegion extends Region {
  /** Changed pixels inside it, which do not count. */
  pixels: number;
}

/** What comparing two screenshots found. */
export interface Comparison {
  /** Size of the union of both images, px. */
  width: number;
  height: number;
  /**
   * Changed pixels, exactly pixelmatch's count at the `colorThreshold` asked for, anti-aliased pixels ignored, less those
   * inside ignore regions.
   */
  diffPixels: number;
  /** diffPixels over all pixels of the union, 0–1. */
  diffRatio: number;
  /** Where it changed outside of ignore regions: bounding boxes, top to bottom; empty when nothing did. */
  regions: Region[];
  /** The ignore regions that were asked for, each with what it hid. */
  ignored: IgnoredRegion[];
  /**
   * PNG of the union's size, transparent but for the changed pixels (magenta), in ignore regions too; null when nothing
   * changed.
   */
  mask: Buffer | null;
  /** Equal for equal changes wherever on a page they are, 2 px from its edges or farther; null when nothing changed. */
  fingerprint: string | null;
}

/** The comparison of two images of this size, px, that do not differ. */
export function unchanged(
  { width, height }: { width: number; height: number },
  ignoreRegions: readonly Region[] = [],
): Comparison {
  const ignored = ignoreRegions.map(region => ({ ...region, pixels: 0 }));
  return { width, height, diffPixels: 0, diffRatio: 0, regions: [], ignored, mask: null, fingerprint: null };
}
