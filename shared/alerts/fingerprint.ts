import { createHash } from "node:crypto";

/** What is alerted begins so where pages do not answer; no fingerprint does. */
const DOWN = "down";

/** Stands for all widths of a page that does not answer. */
export const WHOLE_PAGE = 0;

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

/** Stands for the pages that do not answer and those that look different beside them. */
export function downFingerprintOf(routes: readonly string[], changed: readonly Pair[]): string {
  const down = routes.map(route => ({ route, viewport: WHOLE_PAGE }));
  return `${DOWN}-${fingerprintOf([...down, ...changed])}`;
}

/** Whether what was alerted was that pages do not answer. */
export function isOfDown(about: string): boolean {
  return about.startsWith(DOWN);
}
