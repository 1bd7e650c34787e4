import type { Page, Route } from "playwright";
import type { NetworkRule } from "../contracts/capture-options.ts";

/** Whether a URL is the rule's: equal, or matched by its glob (`*` within a path segment, `**` across segments). */
export function urlMatcher(pattern: string): (url: string) => boolean {
  if (!pattern.includes("*")) return url => url === pattern;
  const source = pattern
    .split(/(\*+)/)
    .map(part =>
      part.startsWith("*") ? (part.length > 1 ? ".*" : "[^/]*") : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"),
    )
    .join("");
  const expression = new RegExp(`^${source}$`);
  return url => expression.test(url);
}

/**
 * Applies the rules to all requests of the page and its frames until the returned function is called. The first rule
 * that matches decides. Rules see the URL that was asked for, not those that a redirect leads to.
 */
export async function applyNetworkRules(page: Page, rules: NetworkRule[]): Promise<() => Promise<void>> {
  // Interception costs every request a round trip: pages without rules go without.
  if (rules.length === 0) return async () => {};
  const matchers = rules.map(rule => ({ rule, matches: urlMatcher(rule.url) }));
  const ruleFor = (url: string) => matchers.find(({ matches }) => matches(url))?.rule;
  const matches = (url: URL) => ruleFor(url.href) !== undefined;
  const handle = async (route: Route) => {
    const rule = ruleFor(route.request().url());
    if (rule?.action === "fulfil") {
      const { status, contentType, body } = rule;
      await route.fulfill({ status, contentType, body });
    } else {
      await route.abort("blockedbyclient");
    }
  };
  await page.route(matches, handle);
  return () => page.unroute(matches, handle);
}
