/** Lists of all stories. What they say about a story is among its settings. */
const LISTS = new Set(["index.json", "stories.json", "project.json"]);

/**
 * Returns the paths in an archive that a page has loaded, without a slash at the start. Null if it loaded something else,
 * or nothing.
 * @param site URL of the archive's root
 */
export function loadedPaths(requested: readonly string[], site: string): string[] | null {
  const base = new URL(site.endsWith("/") ? site : `${site}/`);
  const paths = new Set<string>();
  for (const address of requested) {
    if (/^(?:data|blob|about):/.test(address)) continue;
    const path = pathBelow(base, address);
    if (path === null) return null;
    if (!LISTS.has(path)) paths.add(path);
  }
  return paths.size === 0 ? null : [...paths].sort();
}

function pathBelow(base: URL, address: string): string | null {
  const url = URL.parse(address);
  if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  try {
    return decodeURIComponent(url.pathname.slice(base.pathname.length));
  } catch {
    return null;
  }
}
