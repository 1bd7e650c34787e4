import { createHash } from "node:crypto";
import { pickPage, type StoredPage } from "../contracts/capture/page-fields.ts";

/** Prefix for pages that don't respond. Other fingerprints are hexadecimal digits and never start with it. */
const DOWN = "down";

/** Stands for all widths of a page. */
export const WHOLE_PAGE = 0;

/** Returns a fingerprint of pages, in any order: 32 hexadecimal digits. */
export function fingerprintOf(pages: readonly StoredPage[]): string {
  const names = new Set(pages.map(nameOf));
  return createHash("sha256")
    .update([...names].sort().join("\n"))
    .digest("hex")
    .slice(0, 32);
}

/** Returns a fingerprint of pages that don't respond, together with changed pages. */
export function downFingerprintOf(routes: readonly string[], changed: readonly StoredPage[]): string {
  const down = routes.map(route => ({ route, viewport: WHOLE_PAGE }));
  return `${DOWN}-${fingerprintOf([...down, ...changed])}`;
}

/** Returns whether an alert was about pages that don't respond. */
export function isDownFingerprint(about: string): boolean {
  return about.startsWith(DOWN);
}

/** Returns a page's part of a fingerprint. Without a state and an environment, it is the one of earlier versions. */
function nameOf(page: StoredPage): string {
  const { route, state, environment, viewport } = pickPage(page);
  const own = state === null && environment === null ? [] : [state, environment];
  return JSON.stringify([route, viewport, ...own]);
}
