import type { Route } from "playwright";
import type { Lease } from "../browser/lease.ts";

/** What the page gets in place of a response: another body, no response, or the response of another URL. */
export type Replacement =
  | { kind: "body"; body: Buffer; contentType: string | null }
  | { kind: "none" }
  | { kind: "url"; url: string };

/** Returns the replacement for a request of the page; null for none. */
export type FindReplacement = (request: { url: string; type: string }) => Replacement | null;

/** Matches every URL. */
const ANY_URL = /^/;

/**
 * Replaces responses of the page and its frames until the returned function is called. Requests without a replacement
 * follow the network rules.
 */
export async function replaceResponses(
  { page, network }: Pick<Lease, "page" | "network">,
  find: FindReplacement | undefined,
): Promise<() => Promise<void>> {
  // Interception costs every request a round trip.
  if (find === undefined) return async () => {};
  const handle = async (route: Route) => {
    const request = route.request();
    const replacement =
      request.method() === "GET" ? find({ url: request.url(), type: request.resourceType() }) : null;
    if (replacement === null) return await route.fallback();
    if (replacement.kind === "url") return await route.continue({ url: replacement.url });
    network.expect(request);
    if (replacement.kind === "none") return await route.abort("blockedbyclient");
    const { body, contentType } = replacement;
    await route.fulfill({ status: 200, body, ...(contentType !== null && { contentType }) });
  };
  await page.route(ANY_URL, handle);
  return async () => await page.unroute(ANY_URL, handle);
}
