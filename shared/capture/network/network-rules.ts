import type { Route } from "playwright";
import { BOUNDS, type NetworkRule, wildcardsOf } from "../../contracts/runs/capture-options.ts";
import type { Lease } from "../browser/lease.ts";
import { CaptureError } from "../capture-types.ts";
import { PAGE_ERRORS } from "../texts.ts";
import { type Meter, urlMatcher } from "./url-glob.ts";

/** No address that a page means is longer: globs match none that is. */
const LONGEST_URL = 16_384;
/**
 * Wildcards of all rules × characters of a URL: what rules cost the event loop at once, some 5 to 10 ms. Where rules
 * have more than 61 wildcards together, their globs match shorter URLs only.
 */
export const MAX_STEPS_PER_URL = 1_000_000;
/** Every URL has a beginning: this is no pattern of a user's. */
const ANY_URL = /^/;

/** Finds the first rule that matches a URL, for the requests of one screenshot. */
export class RuleFinder {
  /** What all searches have cost. */
  readonly meter: Meter = { steps: 0 };
  /** Longer URLs are matched by no glob, characters. */
  readonly longestUrl: number;
  readonly #matchers: { rule: NetworkRule; matches: (url: string, meter: Meter) => boolean }[];
  readonly #maxSteps: number;

  /**
   * @param maxSteps what all requests of the screenshot may cost together
   * @throws CaptureError for rules with too many wildcards, which came here unchecked
   */
  constructor(rules: readonly NetworkRule[], maxSteps: number) {
    const wildcards = rules.reduce((sum, { url }) => sum + wildcardsOf(url), 0);
    if (rules.length > BOUNDS.networkRules || wildcards > BOUNDS.networkWildcards) throw tooMany(wildcards);
    this.longestUrl = Math.min(LONGEST_URL, Math.floor(MAX_STEPS_PER_URL / Math.max(1, wildcards)));
    this.#matchers = rules.map(rule => ({ rule, matches: urlMatcher(rule.url) }));
    this.#maxSteps = maxSteps;
  }

  /** Whether the page's requests have cost so much that no further one is looked at. */
  get isSpent(): boolean {
    return this.meter.steps > this.#maxSteps;
  }

  ruleFor(url: string): NetworkRule | undefined {
    const isLong = url.length > this.longestUrl;
    return this.#matchers.find(({ rule, matches }) => (isLong ? rule.url === url : matches(url, this.meter)))
      ?.rule;
  }
}

/** The rules of a page while they are in force. */
export interface AppliedRules {
  /** @throws CaptureError where the page asked for so much that not all requests were matched */
  verify(): void;
  remove(): Promise<void>;
}

/**
 * Applies the rules to all requests of the page and its frames until they are removed. The first rule that matches
 * decides. Rules see the URL that was asked for, not those that a redirect leads to.
 * @throws CaptureError for rules with too many wildcards
 */
export async function applyNetworkRules(
  { page, network, limits }: Lease,
  rules: NetworkRule[],
): Promise<AppliedRules> {
  // Interception costs every request a round trip: pages without rules go without.
  if (rules.length === 0) return { verify() {}, remove: async () => {} };
  const finder = new RuleFinder(rules, limits.maxMatchSteps);
  const handle = async (route: Route) => {
    // Which rule would decide is not known any more.
    if (finder.isSpent) return await route.abort("blockedbyclient");
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
      if (finder.isSpent) throw tooCostly();
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
