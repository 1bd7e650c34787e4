import { type CompareOptions, findAllChanges } from "./changes.ts";
import { type Comparison, type Region, unchanged } from "./comparison.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { encodeMask } from "./mask.ts";
import { openPng, requireWhole } from "./png-file.ts";
import { clusterRuns, outline } from "./regions.ts";

/**
 * Compares two PNG files' bytes. The changed pixels are exactly those of pixelmatch (anti-aliased pixels ignored) on both
 * images padded with transparent pixels to the union of their sizes, less those inside the ignore regions.
 *
 * Throws an `UnreadableImageError` on something that is not a whole PNG or over the pixel bound.
 */
export async function compareScreenshots(
  baseline: Uint8Array,
  current: Uint8Array,
  options: CompareOptions = {},
): Promise<Comparison> {
  const { ignoreRegions = [] } = options;
  const same = compareBytes(baseline, current, ignoreRegions);
  if (same) return same;
  const changes = await findAllChanges(openPng(baseline), openPng(current), options);
  const { width, height, diffPixels, ignoredPixels } = changes;
  const ignored = ignoreRegions.map((region, index) => ({ ...region, pixels: ignoredPixels[index] ?? 0 }));
  const isHidden = ignored.some(({ pixels }) => pixels > 0);
  if (diffPixels === 0 && !isHidden) return unchanged(changes, ignoreRegions);

  const clusters = clusterRuns(changes.runs);
  return {
    width,
    height,
    diffPixels,
    diffRatio: diffPixels / (width * height),
    regions: outline(clusters),
    ignored,
    mask: encodeMask(width, height, changes.scanlines),
    fingerprint: diffPixels === 0 ? null : fingerprintOf(clusters),
  };
}

/**
 * The comparison of two files of the same bytes, or null when they differ. Throws like `compareScreenshots`: a damaged
 * file does not equal itself, for what it should show is unknown.
 */
export function compareBytes(
  baseline: Uint8Array,
  current: Uint8Array,
  ignoreRegions: readonly Region[] = [],
): Comparison | null {
  const file = openPng(baseline);
  if (Buffer.compare(baseline, current) !== 0) return null;
  requireWhole(file);
  return unchanged(file, ignoreRegions);
}
