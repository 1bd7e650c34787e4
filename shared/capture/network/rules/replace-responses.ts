import type { Page, Route } from "playwright";
import type { NetworkActivity } from "../network-activity.ts";
import { routeRequests } from "./route-requests.ts";

/** What the page gets in place of a response: another body, no response, or the response of another URL. */
export type Replacement =
  | { kind: "body"; body: Buffer; contentType: string | null }
  | { kind: "none" }
  | { kind: "url"; url: string };

/** Returns the replacement for a request of the page; null for none. */
export type FindReplacement = (request: { url: string; type: string }) => Replacement | null;

/**
 * Replaces responses of the page and its frames until the returned function is called. Requests without a replacement
 * follow the network rules.
 */
export async function replaceResponses(
  { page, network }: { page: Page; network: NetworkActivity },
  find: FindReplacement | undefined,
): Promise<() => Promise<void>> {
  // Interception costs every request a round trip.
  if (find === undefined) return async () => {};
  return await routeRequests(page, async (route: Route) => {
    const request = route.request();
    const replacement =
      request.method() === "GET" ? find({ url: request.url(), type: request.resourceType() }) : null;
    if (replacement === null) return await route.fallback();
    if (replacement.kind === "url") {
      // The browser sends no request by another protocol.
      const isSame = URL.parse(replacement.url)?.protocol === URL.parse(request.url())?.protocol;
      return await (isSame ? route.continue({ url: replacement.url }) : route.fallback());
    }
    network.expect(request);
    if (replacement.kind === "none") return await route.abort("blockedbyclient");
    const { body, contentType } = replacement;
    await route.fulfill({ status: 200, body, ...(contentType !== null && { contentType }) });
  });
}
