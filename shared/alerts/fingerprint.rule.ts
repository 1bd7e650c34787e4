import { createHash } from "node:crypto";
import type { PageAt } from "../contracts/monitors/alert-actions.ts";

/** What is alerted begins so where pages do not answer; no fingerprint does. */
const DOWN = "down";

/** Stands for all widths of a page. */
export const WHOLE_PAGE = 0;

/** Stands for the set of pages and widths that are affected, in whatever order they come: 32 hex digits. */
export function fingerprintOf(pairs: readonly PageAt[]): string {
  const names = new Set(pairs.map(({ route, viewport }) => JSON.stringify([route, viewport])));
  return createHash("sha256")
    .update([...names].sort().join("\n"))
    .digest("hex")
    .slice(0, 32);
}

/** Stands for the pages that do not answer and those that look different beside them. */
export function downFingerprintOf(routes: readonly string[], changed: readonly PageAt[]): string {
  const down = routes.map(route => ({ route, viewport: WHOLE_PAGE }));
  return `${DOWN}-${fingerprintOf([...down, ...changed])}`;
}

/** Whether what was alerted was that pages do not answer. */
export function isOfDown(about: string): boolean {
  return about.startsWith(DOWN);
}
