import type { Route } from "playwright";
import { BOUNDS } from "../../contracts/runs/bounds.ts";
import { type NetworkRule, wildcardsOf } from "../../contracts/runs/capture-options.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError } from "../capture-types.ts";
import { PAGE_ERRORS } from "../texts.ts";
import { type Meter, urlMatcher } from "./url-glob.ts";

/** No real URL is longer. Globs match no longer URL. */
const LONGEST_URL = 16_384;
/**
 * Wildcards of all rules × characters of a URL: what rules may cost the event loop at once, about 5 to 10 ms. Rules
 * with more than 61 wildcards together match only shorter URLs.
 */
export const MAX_STEPS_PER_URL = 1_000_000;
/** Matches every URL. Users can't write this pattern. */
const ANY_URL = /^/;

/** Finds the first rule that matches a URL, for the requests of one screenshot. */
export class RuleFinder {
  /** The cost of all searches. */
  readonly meter: Meter = { steps: 0 };
  /** Globs match no URL longer than this, characters. */
  readonly longestUrl: number;
  readonly #matchers: { rule: NetworkRule; matches: (url: string, meter: Meter) => boolean }[];
  readonly #maxSteps: number;

  /**
   * @param maxSteps the limit for all requests of the screenshot together
   * @throws CaptureError for rules with too many wildcards that were not checked before
   */
  constructor(rules: readonly NetworkRule[], maxSteps: number) {
    const wildcards = rules.reduce((sum, { url }) => sum + wildcardsOf(url), 0);
    if (rules.length > BOUNDS.networkRules || wildcards > BOUNDS.networkWildcards) throw tooMany(wildcards);
    this.longestUrl = Math.min(LONGEST_URL, Math.floor(MAX_STEPS_PER_URL / Math.max(1, wildcards)));
    this.#matchers = rules.map(rule => ({ rule, matches: urlMatcher(rule.url) }));
    this.#maxSteps = maxSteps;
  }

  /** Returns whether the page's requests have used up the limit, so that no further one is matched. */
  get isExhausted(): boolean {
    return this.meter.steps > this.#maxSteps;
  }

  ruleFor(url: string): NetworkRule | undefined {
    const isLong = url.length > this.longestUrl;
    return this.#matchers.find(({ rule, matches }) => (isLong ? rule.url === url : matches(url, this.meter)))
      ?.rule;
  }
}

/** The rules of a page while they apply. */
export interface AppliedRules {
  /** @throws CaptureError when the page sent so many requests that not all were matched */
  verify(): void;
  remove(): Promise<void>;
}

/**
 * Applies the rules to all requests of the page and its frames until they are removed. The first rule that matches
 * decides. Rules see the requested URL, not the targets of its redirects.
 * @throws CaptureError for rules with too many wildcards
 */
export async function applyNetworkRules(
  { page, network, limits }: Lease,
  rules: NetworkRule[],
): Promise<AppliedRules> {
  // Interception costs every request a round trip, so pages without rules skip it.
  if (rules.length === 0) return { verify() {}, remove: async () => {} };
  const finder = new RuleFinder(rules, limits.maxMatchSteps);
  const handle = async (route: Route) => {
    // It is unknown which rule would decide.
    if (finder.isExhausted) return await route.abort("blockedbyclient");
    const rule = finder.ruleFor(route.request().url());
    if (rule === undefined) return await route.fallback();
    if (rule.action === "block") return await route.abort("blockedbyclient");
    network.missing.expect(route.request());
    const { status, contentType, body } = rule;
    await route.fulfill({ status, contentType, body });
  };
  await page.route(ANY_URL, handle);
  return {
    verify() {
      if (finder.isExhausted) throw tooCostly();
    },
    remove: () => page.unroute(ANY_URL, handle),
  };
}

function tooMany(wildcards: number): CaptureError {
  return new CaptureError(
    "too_large",
    PAGE_ERRORS.tooManyWildcards(wildcards, BOUNDS.networkWildcards, BOUNDS.networkRules),
  );
}

function tooCostly(): CaptureError {
  return new CaptureError("too_large", PAGE_ERRORS.rulesTooCostly);
}
