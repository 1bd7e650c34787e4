import { createHash } from "node:crypto";
import type { Cause } from "../contracts/runs/explanation.ts";
import { fileKey } from "./loaded-files.ts";

/** A cause, and what its rank depends on. */
export interface DraftCause extends Cause {
  isPageWide: boolean;
  /** Changed area that it covers, square px. */
  area: number;
}

const KEY_CHARS = 16;

/** Returns whether a file is the page's HTML: the page itself, or a folder that led to it. */
export function isPage(url: string, page: string): boolean {
  const [file, own] = [URL.parse(url), URL.parse(page)];
  if (file === null || own === null) return false;
  return file.pathname === own.pathname || (file.host === own.host && file.pathname.endsWith("/"));
}

/**
 * Returns the key of a cause. It is the same on other pages, widths and deployments.
 * @param page URL of the page, or empty. The HTML of all pages is one file, because the words for it are the same
 * @param content what the cause draws besides its own facts, such as added elements. Without it, other content would
 *   be the same cause, and one decision would cover both
 */
export function causeKey(
  cause: Omit<Cause, "key" | "text" | "elements">,
  page: string,
  content: readonly string[] = [],
): string {
  const { kind, selector, property, before, after, file, rule } = cause;
  const path = file && (isPage(file.url, page) ? "" : fileKey(file.url, file.url));
  const facts = JSON.stringify([
    ...[kind, rule ?? selector, property, before, after, path, file?.change],
    ...content,
  ]);
  return createHash("sha256").update(facts).digest("hex").slice(0, KEY_CHARS);
}
