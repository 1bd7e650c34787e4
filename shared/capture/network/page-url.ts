/** The address of a route: added to the site's path; what the site's address asks for in its query stays. */
export function pageUrl(site: string, route: string): string {
  const base = new URL(site);
  if (route === "/") return base.href;
  // One absolute text: resolved against the origin, a path that starts with // would be another host.
  const page = new URL(base.origin + base.pathname.replace(/\/$/, "") + route);
  const own = new Set(page.searchParams.keys());
  for (const [name, value] of base.searchParams) if (!own.has(name)) page.searchParams.append(name, value);
  return page.href;
}
