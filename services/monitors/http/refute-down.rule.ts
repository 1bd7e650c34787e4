import { decideByRegions, type RegionOutcome } from "../../../shared/contracts/capture/region.ts";
import type { RegionResult } from "../../../shared/contracts/monitors/http-checks.ts";
import type { CheckResult, Drift } from "../checks/evaluate-check.rule.ts";
import { CHECK_REASONS } from "../texts.ts";

/**
 * Returns the result of a check without the routes that are not down: some regions load them, and fewer than must agree
 * can't. The network of a region is the problem then, so the check says nothing about these routes. If all regions load
 * a route, the browser found a problem that an HTTP request can't see, and the route stays down.
 * @param found what each region found on the routes that are down
 */
export function refuteDown(result: CheckResult, found: readonly RegionResult[], agree: number): CheckResult {
  const refuted = new Set(result.downRoutes.filter(route => isRefuted(outcomesOn(route, found), agree)));
  if (refuted.size === 0) return result;
  const downRoutes = result.downRoutes.filter(route => !refuted.has(route));
  const named = (outcome: RegionOutcome) =>
    found.flatMap(each =>
      [...refuted].some(route => outcomeOn(route, each) === outcome) ? (each.region ?? []) : [],
    );
  const why = CHECK_REASONS.otherRegions([...refuted], named("failing"), named("ok"));
  const rest = { ...result, downRoutes, drift: result.drift.map(page => withoutDown(page, refuted)) };
  if (downRoutes.length > 0) return { ...rest, error: `${result.error ?? ""} ${why}`.trim() };
  return { ...rest, outcome: result.regressions.length > 0 ? "changed" : "failed", error: why };
}

function outcomesOn(route: string, found: readonly RegionResult[]): RegionOutcome[] {
  return found.map(each => outcomeOn(route, each));
}

/** Returns what a region found on a route. A route that it did not request says as little as a region without a node. */
function outcomeOn(route: string, { pages }: RegionResult): RegionOutcome {
  const page = pages.find(each => each.route === route);
  if (!page) return "no_node";
  return page.problem === null ? "ok" : "failing";
}

function isRefuted(outcomes: readonly RegionOutcome[], agree: number): boolean {
  const isMixed = outcomes.includes("failing") && outcomes.includes("ok");
  return isMixed && decideByRegions(outcomes, agree) !== "failing";
}

function withoutDown({ isDown, ...page }: Drift, refuted: ReadonlySet<string>): Drift {
  return { ...page, ...(isDown && !refuted.has(page.route) && { isDown }) };
}
