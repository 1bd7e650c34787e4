import type { Page, Request, Route } from "playwright";
import type { NetworkRule } from "../contracts/capture-options.ts";

/** A glob is matched character by character; no address that a page means is longer. */
const LONGEST_GLOBBED = 16_384;

/** Whether a URL is the rule's: equal, or matched by its glob (`*` within a path segment, `**` across segments). */
export function urlMatcher(pattern: string): (url: string) => boolean {
  if (!pattern.includes("*")) return url => url === pattern;
  const steps = pattern.match(/\*+|[^*]/g) ?? [];
  return url => url.length <= LONGEST_GLOBBED && matchesGlob(steps, url);
}

/**
 * By all the places in the glob that the URL may have come to, together: a regular expression tries them one after the
 * other, and a page can ask for a URL at which that takes for ever.
 */
function matchesGlob(steps: string[], url: string): boolean {
  let places = withSkips(steps, [0]);
  for (let at = 0; at < url.length && places.size > 0; at += 1) {
    const next: number[] = [];
    for (const place of places) {
      const step = steps[place];
      if (step?.startsWith("*")) {
        if (step.length > 1 || url[at] !== "/") next.push(place);
      } else if (step === url[at]) {
        next.push(place + 1);
      }
    }
    places = withSkips(steps, next);
  }
  return places.has(steps.length);
}

/** A star may stand for nothing. */
function withSkips(steps: string[], from: number[]): Set<number> {
  const places = new Set(from);
  for (const place of places) if (steps[place]?.startsWith("*")) places.add(place + 1);
  return places;
}

/**
 * Applies the rules to all requests of the page and its frames until the returned function is called. The first rule
 * that matches decides. Rules see the URL that was asked for, not those that a redirect leads to.
 * @param onFulfil told of each request that a rule is about to answer
 */
export async function applyNetworkRules(
  page: Page,
  rules: NetworkRule[],
  onFulfil: (request: Request) => void,
): Promise<() => Promise<void>> {
  // Interception costs every request a round trip: pages without rules go without.
  if (rules.length === 0) return async () => {};
  const matchers = rules.map(rule => ({ rule, matches: urlMatcher(rule.url) }));
  const ruleFor = (url: string) => matchers.find(({ matches }) => matches(url))?.rule;
  const matches = (url: URL) => ruleFor(url.href) !== undefined;
  const handle = async (route: Route) => {
    const rule = ruleFor(route.request().url());
    if (rule?.action === "fulfil") {
      onFulfil(route.request());
      const { status, contentType, body } = rule;
      await route.fulfill({ status, contentType, body });
    } else {
      await route.abort("blockedbyclient");
    }
  };
  await page.route(matches, handle);
  return () => page.unroute(matches, handle);
}
