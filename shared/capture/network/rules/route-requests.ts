import type { Page, Route } from "playwright";

/** Matches every URL. Users can't write this pattern. */
const ANY_URL = /^/;

/**
 * Handles all requests of the page and its frames until the returned function is called. A request whose handler fails
 * fails too, because an unhandled rejection ends the process.
 */
export async function routeRequests(
  page: Page,
  handle: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  const handleSafely = async (route: Route) => {
    // The page may be closed by then.
    await handle(route).catch(() => route.abort("failed").catch(() => {}));
  };
  await page.route(ANY_URL, handleSafely);
  return async () => await page.unroute(ANY_URL, handleSafely);
}
