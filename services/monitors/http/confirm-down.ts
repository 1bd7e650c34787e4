import type { Check } from "../checks/check.entity.ts";
import type { CheckResult } from "../checks/evaluate-check.rule.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { CHECK_REASONS } from "../texts.ts";
import { checkFrom } from "./run-http-checks.ts";

/**
 * Asks the regions of a monitor before its check counts as down. If fewer of them than must agree can't load the pages
 * either, the network of one region is the problem, so the check says nothing about the site. If all regions load them,
 * the browser found a problem that an HTTP request can't see, and the site stays down.
 */
export async function confirmDown(
  context: MonitorsContext,
  { monitorId }: Pick<Check, "monitorId">,
  result: CheckResult,
): Promise<CheckResult> {
  if (result.outcome !== "down") return result;
  const monitor = await findAnyMonitor(context.em(), monitorId);
  if (!monitor?.http || monitor.http.regions.length === 0) return result;
  const { regions, agree } = monitor.http;
  const pages = { ...monitor, routes: result.downRoutes };
  const none = { maxResponseMs: null, requiredText: null };
  const found = await Promise.all(regions.map(region => checkFrom(context, pages, none, region)));
  const named = (outcome: string) =>
    found.flatMap(each => (each.outcome === outcome ? (each.region ?? []) : []));
  const [failing, passing] = [named("failing"), named("ok")];
  if (failing.length === 0 || passing.length === 0 || failing.length >= agree) return result;
  return {
    ...result,
    outcome: "failed",
    downRoutes: [],
    error: CHECK_REASONS.otherRegions(failing, passing),
  };
}
