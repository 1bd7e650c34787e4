import { createHash } from "node:crypto";
import type { Cluster } from "./regions.ts";

/** Hex digits: 128 bits, so that no two changes of a service's life meet by chance. */
const LENGTH = 32;

/**
 * Names a change by what changed, not where: equal for equal changes wherever on a page they are, and however often.
 * Of each cluster go in the places of its changed pixels relative to its corner, and their colours before and after;
 * nothing of what did not change.
 *
 * An edge of the page that cuts a change off gives it another shape, and so another fingerprint.
 */
export function fingerprintOf(clusters: Cluster[]): string {
  const prints = new Set(clusters.map(printOf));
  return createHash("sha256")
    .update([...prints].sort().join())
    .digest("hex")
    .slice(0, LENGTH);
}

function printOf({ region, runs }: Cluster): string {
  const words = new Int32Array(runs.length * 4);
  runs.forEach((run, i) => {
    words.set([run.left - region.x, run.right - region.x, run.y - region.y, run.hash], i * 4);
  });
  return createHash("sha256").update(words).digest("base64");
}
