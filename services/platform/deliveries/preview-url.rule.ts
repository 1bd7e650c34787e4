import { hostOf, refusePreviewUrl } from "../../../shared/capture/network/address-guard.ts";

/** What POST /v1/run takes. */
const URL_CHARS = 2000;

/** A preview's address, and whether it may be rendered at all. */
export interface Preview {
  /** As it is sent on: what was judged is what is rendered. */
  url: string;
  host: string;
}

/** Reads a deployment's URL, which platforms write without a scheme; null when it is none. */
export function previewOf(written: string): Preview | null {
  const text = written.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.href.length > URL_CHARS) return null;
  // A host by itself stays one: parsed, it would end in a slash.
  return { url: text.endsWith("/") ? url.href : url.href.replace(/\/$/, ""), host: hostOf(url) };
}

/** Why a preview may not be rendered, judged by what is written in its URL; null when nothing speaks against it. */
export function refusePreview({ url }: Preview): string | null {
  return refusePreviewUrl(new URL(url));
}

/** Whether a host is below one of these domains: `a.previews.example` is below `previews.example`, `evilpreviews.example` is not. */
export function isBelow(host: string, domains: readonly string[]): boolean {
  return domains.some(domain => host.endsWith(`.${domain}`));
}
