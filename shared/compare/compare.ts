import { decodePng } from "./bitmap.ts";
import { findChanges } from "./changes.ts";
import type { Comparison } from "./comparison.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { encodeMask } from "./mask.ts";
import { readPngHeader } from "./png-header.ts";
import { clusterChanges, outline } from "./regions.ts";

/**
 * Compares two PNG files' bytes. The changed pixels are exactly those of pixelmatch (threshold 0.1, anti-aliased
 * pixels ignored) on both images padded with transparent pixels to the union of their sizes.
 *
 * Throws an `UnreadableImageError` on something that is not a whole PNG or over the pixel bound.
 */
export async function compareScreenshots(baseline: Uint8Array, current: Uint8Array): Promise<Comparison> {
  const [first, second] = [readPngHeader(baseline), readPngHeader(current)];
  const width = Math.max(first.width, second.width);
  const height = Math.max(first.height, second.height);
  if (Buffer.compare(baseline, current) === 0) return unchanged(width, height);

  const [before, after] = await Promise.all([decodePng(baseline), decodePng(current)]);
  const changes = findChanges(before, after);
  if (changes.count === 0) return unchanged(width, height);

  const clusters = clusterChanges(changes);
  return {
    width,
    height,
    diffPixels: changes.count,
    diffRatio: changes.count / (width * height),
    regions: outline(clusters),
    mask: await encodeMask(changes),
    fingerprint: fingerprintOf(before, after, changes, clusters),
  };
}

function unchanged(width: number, height: number): Comparison {
  return { width, height, diffPixels: 0, diffRatio: 0, regions: [], mask: null, fingerprint: null };
}
