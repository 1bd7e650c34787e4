/** A rectangle in pixels of the union of both images, origin at the top left. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What comparing two screenshots found. */
export interface Comparison {
  /** Size of the union of both images, px. */
  width: number;
  height: number;
  /** Changed pixels, exactly pixelmatch's count at threshold 0.1 with anti-aliased pixels ignored. */
  diffPixels: number;
  /** diffPixels over all pixels of the union, 0–1. */
  diffRatio: number;
  /** Where it changed: bounding boxes, top to bottom; empty when nothing did. */
  regions: Region[];
  /** PNG of the union's size, transparent but for the changed pixels (magenta); null when nothing changed. */
  mask: Buffer | null;
  /** Equal for equal changes wherever on a page they are; null when nothing changed. */
  fingerprint: string | null;
}
