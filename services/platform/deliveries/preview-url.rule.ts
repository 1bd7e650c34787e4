import { hostOf, refusePreviewUrl } from "../../../shared/capture/network/address-guard.ts";

/** The limit of POST /v1/run. */
const MAX_URL_CHARS = 2000;

/** A preview's URL and host. */
export interface Preview {
  /** The URL that was checked is the one that is submitted. */
  url: string;
  host: string;
}

/** Parses a deployment's URL, which may have no scheme. Returns null if it is invalid. */
export function previewOf(rawUrl: string): Preview | null {
  const text = rawUrl.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.href.length > MAX_URL_CHARS) return null;
  // Removes the slash that parsing adds to a bare host.
  return { url: text.endsWith("/") ? url.href : url.href.replace(/\/$/, ""), host: hostOf(url) };
}

/** Returns why a preview may not be rendered, by its URL alone, or null. */
export function refusePreview({ url }: Preview): string | null {
  return refusePreviewUrl(new URL(url));
}

/**
 * Returns whether a host is a subdomain of one of these domains. `a.previews.example` is below `previews.example`, but
 * `evilpreviews.example` is not.
 */
export function isBelow(host: string, domains: readonly string[]): boolean {
  return domains.some(domain => host.endsWith(`.${domain}`));
}
