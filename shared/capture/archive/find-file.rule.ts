/** What a static site answers to a path. */
export type Found =
  | { status: 200 | 404; path: string }
  /** The path names a folder without the slash at its end, so relative links of its page would be wrong. */
  | { status: 301; location: string }
  | { status: 404; path: null };

/**
 * Returns the file for a URL's path, as static hosts choose it: the file itself, `index.html` of a folder, or the file
 * with `.html` added. Without any, it is `200.html`, with which single-page applications answer every path, or
 * `404.html`.
 * @param pathname of a URL, percent-encoded
 * @param base path of the site's root, with a slash at its end
 * @param has whether the site has this file
 */
export function findFile(pathname: string, base: string, has: (path: string) => boolean): Found {
  if (`${pathname}/` === base) return { status: 301, location: base };
  const path = pathname.startsWith(base) ? decode(pathname.slice(base.length)) : null;
  if (path !== null) {
    const isFolder = path === "" || path.endsWith("/");
    const candidates = isFolder ? [`${path}index.html`] : [path, `${path}.html`];
    const found = candidates.find(has);
    if (found !== undefined) return { status: 200, path: found };
    if (!isFolder && has(`${path}/index.html`)) return { status: 301, location: `${pathname}/` };
    if (has("200.html") && !hasExtension(path)) return { status: 200, path: "200.html" };
  }
  return { status: 404, path: has("404.html") ? "404.html" : null };
}

/** Returns whether a path names a file, such as a script. A missing script is never an application's page. */
function hasExtension(path: string): boolean {
  return /\.[a-z0-9]{1,8}$/i.test(path) && !/\.html?$/i.test(path);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
