import { createHash } from "node:crypto";
import type { PageAt } from "../contracts/monitors/alert-actions.ts";

/** Prefix for pages that don't respond. Other fingerprints are hexadecimal digits and never start with it. */
const DOWN = "down";

/** Stands for all widths of a page. */
export const WHOLE_PAGE = 0;

/** Returns a fingerprint of pages and widths, in any order: 32 hexadecimal digits. */
export function fingerprintOf(pairs: readonly PageAt[]): string {
  const names = new Set(pairs.map(({ route, viewport }) => JSON.stringify([route, viewport])));
  return createHash("sha256")
    .update([...names].sort().join("\n"))
    .digest("hex")
    .slice(0, 32);
}

/** Returns a fingerprint of pages that don't respond, together with changed pages. */
export function downFingerprintOf(routes: readonly string[], changed: readonly PageAt[]): string {
  const down = routes.map(route => ({ route, viewport: WHOLE_PAGE }));
  return `${DOWN}-${fingerprintOf([...down, ...changed])}`;
}

/** Returns whether an alert was about pages that don't respond. */
export function isDownFingerprint(about: string): boolean {
  return about.startsWith(DOWN);
}
