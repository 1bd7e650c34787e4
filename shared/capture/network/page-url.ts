/** Returns the URL of the site, to which the paths of steps belong. */
export function siteOf({ site, url }: { site?: string; url: string }): string {
  return site ?? new URL(url).origin;
}

/** Returns the absolute URL of a step's `url`. Its path belongs to the site. */
export function urlIn(site: string, url: string): string {
  return /^\/(?![/\\])/.test(url) ? pageUrl(site, url) : (URL.parse(url, site)?.href ?? url);
}

/** Returns the URL of a route. The route is appended to the site's path, and the query of the site's URL is kept. */
export function pageUrl(site: string, route: string): string {
  const base = new URL(site);
  if (route === "/") return base.href;
  // It is joined as one absolute text. A path that starts with // would otherwise name another host.
  const page = new URL(base.origin + base.pathname.replace(/\/$/, "") + route);
  const own = new Set(page.searchParams.keys());
  for (const [name, value] of base.searchParams) if (!own.has(name)) page.searchParams.append(name, value);
  return page.href;
}

/** Returns the URL as servers get it. */
export function withoutHash(url: string): string {
  return url.replace(/#.*$/s, "");
}
