import {
  decideByRegions,
  environmentOutside,
  type RegionOutcome,
} from "../../../shared/contracts/capture/region.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { PageState, RegionSummary } from "../../../shared/contracts/monitors/checks.ts";

/** From where a check captures its pages, and how many regions must agree. */
export interface RegionRule {
  /** Empty for any renderer. */
  regions: readonly string[];
  agree: number;
}

/** What a region saw of a page. */
export interface Seen {
  /** The page, with the region in its environment. */
  key: ScreenshotKey;
  /** Null without regions. */
  region: string | null;
  state: PageState;
  /** Whether the page doesn't respond. */
  isDown: boolean;
}

/** What the regions say together about a page. */
export interface Verdict<Page> {
  /** The page without its region. */
  key: ScreenshotKey;
  kind: "ok" | "changed" | "down" | "unknown";
  /** The results of regions that decided. */
  by: Page[];
}

/** Returns the rule of a check. Checks of earlier versions have none. */
export function ruleOf({ regions = [], agree = 1 }: Partial<RegionRule>): RegionRule {
  return { regions, agree };
}

/**
 * Decides on each page by what its regions saw. Without regions, the one result of the page decides. A page is down if
 * enough regions see it down, and changed if enough see one of the two.
 * @param results one for each page and region
 */
export function agreeOnPages<Result>(
  results: readonly Result[],
  { agree }: RegionRule,
  seenOf: (result: Result) => Seen,
): Verdict<Result>[] {
  const seen = results.map(result => ({ result, ...seenOf(result) }));
  const pages = Map.groupBy(seen, page => keyOf(outside(page)));
  return [...pages.values()].flatMap(ofPage => {
    const [first] = ofPage;
    return first ? [{ key: outside(first), ...decide(ofPage, agree) }] : [];
  });
}

/** Returns the page without its region. */
function outside({ key, region }: Seen): ScreenshotKey {
  return { ...key, environment: environmentOutside(key.environment, region) };
}

function decide<Result>(
  seen: readonly (Seen & { result: Result })[],
  agree: number,
): Pick<Verdict<Result>, "kind" | "by"> {
  const resultsOf = (is: (page: Seen) => boolean) => seen.filter(is).map(({ result }) => result);
  const outcome = decideByRegions(seen.map(outcomeOf), agree);
  if (outcome === "ok") return { kind: "ok", by: resultsOf(page => outcomeOf(page) === "ok") };
  if (outcome === "unknown") return { kind: "unknown", by: resultsOf(page => outcomeOf(page) === "no_node") };
  const down = resultsOf(({ isDown }) => isDown);
  if (down.length >= agree) return { kind: "down", by: down };
  return { kind: "changed", by: resultsOf(({ state }) => state === "changed") };
}

function outcomeOf({ state, isDown }: Seen): RegionOutcome {
  if (isDown || state === "changed") return "failing";
  return state === "failed" ? "no_node" : "ok";
}

/** Returns what each region saw of all pages. */
export function summarizeRegions(seen: readonly Seen[], { regions }: RegionRule): RegionSummary[] {
  if (seen.length === 0) return [];
  return regions.map(region => {
    const own = seen.filter(page => page.region === region);
    const count = (is: (page: Seen) => boolean) => own.filter(is).length;
    const [down, changed] = [count(({ isDown }) => isDown), count(({ state }) => state === "changed")];
    const failed = count(({ state, isDown }) => state === "failed" && !isDown);
    const outcome = down + changed > 0 ? "failing" : failed === own.length ? "no_node" : "ok";
    return { region, outcome, changed, down, failed };
  });
}
