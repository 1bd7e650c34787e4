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
