import { createHash } from "node:crypto";
import type { Cluster } from "./regions.ts";

/** Hex digits. 128 bits make a collision between two changes practically impossible. */
const LENGTH = 32;

/**
 * Returns the fingerprint of a change: equal for identical changes, wherever and however often they are on a page.
 * For each cluster, it hashes the positions of the changed pixels relative to the cluster, and their colors before and
 * after. Unchanged pixels don't matter.
 *
 * An edge of the page that cuts off a change gives it another shape, and so another fingerprint.
 */
export function fingerprintOf(clusters: Cluster[]): string {
  const digests = new Set(clusters.map(digestOf));
  return createHash("sha256")
    .update([...digests].sort().join())
    .digest("hex")
    .slice(0, LENGTH);
}

function digestOf({ region, runs }: Cluster): string {
  const words = new Int32Array(runs.length * 4);
  runs.forEach((run, i) => {
    words.set([run.left - region.x, run.right - region.x, run.y - region.y, run.hash], i * 4);
  });
  return createHash("sha256").update(words).digest("base64");
}
