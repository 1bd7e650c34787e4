import { NAME_TEXTS } from "../texts.ts";

/** Of a name, or of a URL's path. */
const SHOWN_CHARS = 100;

/**
 * A URL that a page led to, for a message: without its query, which may hold a secret (reports are read by many), and
 * not longer than a line.
 * @param submitted shown as it is, for who reads of it gave it
 */
export function shownUrl(url: string, submitted?: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return NAME_TEXTS.notAnAddress;
  if (submitted !== undefined && parsed.href === URL.parse(submitted)?.href) return submitted;
  // Of others, as `data:`, the content is the name.
  return /^https?:$/.test(parsed.protocol)
    ? `${parsed.origin}${shortened(parsed.pathname)}`
    : `${parsed.protocol}…`;
}

/** What tells names apart is mostly at their end. */
export function shortened(name: string): string {
  return name.length <= SHOWN_CHARS ? name : `…${name.slice(1 - SHOWN_CHARS)}`;
}
