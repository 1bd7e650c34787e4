import { NAME_TEXTS } from "../texts.ts";

/** Maximum length of a name or of a URL's path. */
const SHOWN_CHARS = 100;

/**
 * Returns a URL for a message, at most a line long. It has no query, which may hold a secret: many people read reports.
 * @param submitted shown unchanged, because the reader provided it
 */
export function shownUrl(url: string, submitted?: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return NAME_TEXTS.notAnAddress;
  if (submitted !== undefined && parsed.href === URL.parse(submitted)?.href) return submitted;
  // For other schemes, such as `data:`, the content is the name.
  return /^https?:$/.test(parsed.protocol)
    ? `${parsed.origin}${shortened(parsed.pathname)}`
    : `${parsed.protocol}…`;
}

/** Shortens a name at its start, because names differ mostly at their end. */
export function shortened(name: string): string {
  return name.length <= SHOWN_CHARS ? name : `…${name.slice(1 - SHOWN_CHARS)}`;
}
