import { CAUSE_TEXTS } from "./texts.ts";

const MAX_CHARS = 60;

/** Returns a short name of a file: its last part, with the host of another site. */
export function nameOfFile(url: string, page: string): string {
  const parsed = URL.parse(url, page);
  if (parsed === null) return url.slice(0, MAX_CHARS);
  const name = parsed.pathname.split("/").at(-1) || CAUSE_TEXTS.page;
  const isOwn = parsed.host === URL.parse(page)?.host;
  return (isOwn ? name : `${parsed.host}/${name}`).slice(-MAX_CHARS);
}

/** Returns the URL of an image as people know it: without the page's own host. Empty for none, and for inline images. */
export function nameOfImage(url: string, page: string): string {
  const parsed = URL.parse(url, page);
  if (url === "" || parsed === null || !/^https?:$/.test(parsed.protocol)) return "";
  const isOwn = parsed.host === URL.parse(page)?.host;
  return (isOwn ? "" : parsed.host) + readable(parsed.pathname) + parsed.search;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
