import { type CompareOptions, findAllChanges } from "./changes.ts";
import { type Comparison, type Region, unchanged } from "./comparison.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { encodeMask } from "./mask.ts";
import { openPng, requireComplete } from "./png-file.ts";
import { clusterRuns, outline } from "./regions.ts";

/**
 * Compares the bytes of two PNG files. The changed pixels are exactly those of pixelmatch with anti-aliased pixels
 * ignored, without those inside ignore regions. Both images are padded with transparent pixels to the union of their
 * sizes.
 *
 * Throws an `UnreadableImageError` if a file isn't a complete PNG or has too many pixels.
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
 * Returns the comparison of two identical files, or null if they differ. Throws like `compareScreenshots`: a damaged
 * file doesn't equal itself, because its intended content is unknown.
 */
export function compareBytes(
  baseline: Uint8Array,
  current: Uint8Array,
  ignoreRegions: readonly Region[] = [],
): Comparison | null {
  const file = openPng(baseline);
  if (Buffer.compare(baseline, current) !== 0) return null;
  requireComplete(file);
  return unchanged(file, ignoreRegions);
}
