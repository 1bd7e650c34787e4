import { endsWithin } from "../../../shared/async.ts";
import type { RegionResult } from "../../../shared/contracts/monitors/http-checks.ts";
import type { Check } from "../checks/check.entity.ts";
import type { CheckResult } from "../checks/evaluate-check.rule.ts";
import { touchCheck } from "../checks/pending-checks.store.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findAnyMonitor } from "../settings/monitor.store.ts";
import { refuteDown } from "./refute-down.rule.ts";
import { checkFrom } from "./run-http-checks.ts";

/** Well within the time after which the recovery sweep takes a check. */
const TOUCH_INTERVAL_MS = 5_000;
/** Any response below 400 is one. */
const ANY_RESPONSE = { maxResponseMs: null, requiredText: null };

/**
 * Asks the regions of a monitor's HTTP check before pages count as down, because the renderer that captured them may be
 * the only one that can't reach the site. A check whose pages were captured from regions needs no other opinion.
 */
export async function confirmDown(
  context: MonitorsContext,
  { id, monitorId, target }: Pick<Check, "id" | "monitorId" | "target">,
  result: CheckResult,
): Promise<CheckResult> {
  if (result.outcome !== "down" || (target.regions ?? []).length > 0) return result;
  const { http } = (await findAnyMonitor(context.em(), monitorId)) ?? {};
  if (!http || http.regions.length === 0) return result;
  const { url, options = {} } = target;
  const pages = { url, options, routes: result.downRoutes };
  const found = await whileTouched<RegionResult[]>(context, id, () =>
    Promise.all(http.regions.map(region => checkFrom(context, pages, ANY_RESPONSE, region))),
  );
  return refuteDown(result, found, http.agree);
}

/** Does work on a check that can take minutes. Meanwhile, the recovery sweep leaves the check to this node. */
async function whileTouched<T>(context: MonitorsContext, id: string, work: () => Promise<T>): Promise<T> {
  await touchCheck(context.em(), id);
  const running = work();
  while (!(await endsWithin(running, TOUCH_INTERVAL_MS))) await touchCheck(context.em(), id);
  return running;
}
