import { createHash } from "node:crypto";
import type { Bitmap } from "./bitmap.ts";
import type { ChangeMap } from "./change-map.ts";
import type { Cluster } from "./regions.ts";

/**
 * Names a change by what changed, not where: equal for equal changes wherever on a page they are, and however often
 * they are there. Of each cluster go in the places of its changed pixels relative to its corner, and their colours
 * before and after; nothing of what did not change. Hex.
 */
export function fingerprintOf(
  before: Bitmap,
  after: Bitmap,
  changes: ChangeMap,
  clusters: Cluster[],
): string {
  const prints = new Set(clusters.map(cluster => hashCluster(before, after, changes, cluster)));
  return createHash("sha256")
    .update([...prints].sort().join())
    .digest("hex")
    .slice(0, 32);
}

function hashCluster(before: Bitmap, after: Bitmap, changes: ChangeMap, { region, runs }: Cluster): string {
  const a = pixelsOf(before);
  const b = pixelsOf(after);
  let [low, high] = [region.width, region.height];
  const mix = (value: number) => {
    low = Math.imul(low ^ value, 0x9e3779b1);
    low ^= low >>> 15;
    high = Math.imul((high + value) ^ low, 0x85ebca77);
    high ^= high >>> 13;
  };
  for (const run of runs) {
    for (let x = run.left; x <= run.right; x++) {
      if (!changes.has(x, run.y)) continue;
      mix((run.y - region.y) * 0x10000 + (x - region.x));
      mix(pixelAt(before, a, x, run.y));
      mix(pixelAt(after, b, x, run.y));
    }
  }
  return `${low >>> 0}:${high >>> 0}`;
}

function pixelsOf({ data }: Bitmap): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
}

function pixelAt(image: Bitmap, pixels: Uint32Array, x: number, y: number): number {
  return x < image.width && y < image.height ? (pixels[y * image.width + x] ?? 0) : 0;
}
