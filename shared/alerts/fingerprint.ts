import { createHash } from "node:crypto";

/** What is alerted of a site that does not answer; no fingerprint of pages is spelled so. */
export const DOWN = "down";

/** A page at a width. */
interface Pair {
  route: string;
  viewport: number;
}

/** Stands for the set of pages and widths that are affected, in whatever order they come: 32 hex digits. */
export function fingerprintOf(pairs: readonly Pair[]): string {
  const names = new Set(pairs.map(({ route, viewport }) => JSON.stringify([route, viewport])));
  return createHash("sha256")
    .update([...names].sort().join("\n"))
    .digest("hex")
    .slice(0, 32);
}
