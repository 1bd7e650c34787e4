const HERE = "http://here.invalid";

/**
 * A path of this service to lead a browser to, from an address that anybody may have written: `/` for everything that
 * a browser could take for another place, such as `//evil`, `/\evil` or `https://evil`.
 */
export function ownPath(next: unknown): string {
  if (typeof next !== "string" || next.length > 2000) return "/";
  // Browsers read a backslash as a slash, and leave out tabs and line ends.
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return "/";
  const url = URL.parse(next, HERE);
  if (url?.origin !== HERE || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
