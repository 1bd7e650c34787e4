import type { RegionResult } from "../../../shared/contracts/monitors/http-checks.ts";
import type { Check } from "../checks/check.entity.ts";
import type { CheckResult } from "../checks/evaluate-check.rule.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { refuteDown } from "./refute-down.rule.ts";
import { checkFrom } from "./run-http-checks.ts";

/** Any response below 400 is one. */
const ANY_RESPONSE = { maxResponseMs: null, requiredText: null };

/**
 * Asks the regions of a monitor's HTTP check before pages count as down, because the renderer that captured them may be
 * the only one that can't reach the site. A check whose pages were captured from regions needs no other opinion.
 */
export async function confirmDown(
  context: MonitorsContext,
  { monitorId, target }: Pick<Check, "monitorId" | "target">,
  result: CheckResult,
): Promise<CheckResult> {
  if (result.outcome !== "down" || (target.regions ?? []).length > 0) return result;
  const { http } = (await findAnyMonitor(context.em(), monitorId)) ?? {};
  if (!http || http.regions.length === 0) return result;
  const { url, options = {} } = target;
  const pages = { url, options, routes: result.downRoutes };
  const found: RegionResult[] = await Promise.all(
    http.regions.map(region => checkFrom(context, pages, ANY_RESPONSE, region)),
  );
  return refuteDown(result, found, http.agree);
}
