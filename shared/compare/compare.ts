import { type CompareOptions, findAllChanges } from "./changes.ts";
import { type Comparison, unchanged } from "./comparison.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { encodeMask } from "./mask.ts";
import { openPng } from "./png-file.ts";
import { clusterRuns, outline } from "./regions.ts";

/**
 * Compares two PNG files' bytes. The changed pixels are exactly those of pixelmatch (anti-aliased pixels ignored) on both
 * images padded with transparent pixels to the union of their sizes.
 *
 * Throws an `UnreadableImageError` on something that is not a whole PNG or over the pixel bound.
 */
export async function compareScreenshots(
  baseline: Uint8Array,
  current: Uint8Array,
  options: CompareOptions = {},
): Promise<Comparison> {
  const same = compareBytes(baseline, current);
  if (same) return same;
  const changes = await findAllChanges(openPng(baseline), openPng(current), options);
  const { width, height, diffPixels } = changes;
  if (diffPixels === 0) return unchanged(changes);

  const clusters = clusterRuns(changes.runs, width);
  return {
    width,
    height,
    diffPixels,
    diffRatio: diffPixels / (width * height),
    regions: outline(clusters),
    mask: encodeMask(width, height, changes.scanlines),
    fingerprint: fingerprintOf(clusters),
  };
}

/** The comparison of two files of the same bytes, or null when they differ. Throws like `compareScreenshots`. */
export function compareBytes(baseline: Uint8Array, current: Uint8Array): Comparison | null {
  const size = openPng(baseline);
  return Buffer.compare(baseline, current) === 0 ? unchanged(size) : null;
}
