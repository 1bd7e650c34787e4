import { type Changes, type CompareOptions, findAllChanges } from "./changes.ts";
import { type Comparison, type Region, unchanged } from "./comparison.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { encodeMask } from "./mask.ts";
import { COLOR_THRESHOLD } from "./pixel-rule.ts";
import { openPng, type PngFile, requireComplete } from "./png-file.ts";
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
  const files = [openPng(baseline), openPng(current)] as const;
  const visible = await findAllChanges(...files, options);
  const faint = visible.diffPixels === 0 ? await findFaintChanges(files, options) : null;
  const { width, height, diffPixels, ignoredPixels } = visible;
  const ignored = ignoreRegions.map((region, index) => ({ ...region, pixels: ignoredPixels[index] ?? 0 }));
  const isHidden = ignored.some(({ pixels }) => pixels > 0);
  if (diffPixels === 0 && faint === null && !isHidden) return unchanged(visible, ignoreRegions);

  const { runs, scanlines } = faint ?? visible;
  const clusters = clusterRuns(runs);
  return {
    ...{ width, height, diffPixels },
    diffRatio: diffPixels / (width * height),
    faintPixels: faint?.diffPixels ?? 0,
    regions: outline(clusters),
    ignored,
    mask: encodeMask(width, height, scanlines),
    fingerprint: runs.length === 0 ? null : fingerprintOf(clusters),
  };
}

/**
 * Returns the changes of images without a visible change whose colors differ by less than the default color threshold.
 * A large area can do so noticeably. Null if there are none, or with another color threshold, which is the user's.
 */
async function findFaintChanges(
  files: readonly [PngFile, PngFile],
  options: CompareOptions,
): Promise<Changes | null> {
  if ((options.colorThreshold ?? COLOR_THRESHOLD) !== COLOR_THRESHOLD) return null;
  const changes = await findAllChanges(...files, { ...options, colorThreshold: 0 });
  return changes.diffPixels === 0 ? null : changes;
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
