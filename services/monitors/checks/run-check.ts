import type { CheckView } from "../../../shared/contracts/monitors/checks.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { viewOfCheck } from "../queries/present-monitor.ts";
import { monitorOf } from "../queries/read-monitors.ts";
import { writableMonitor } from "../settings/writable-monitor.ts";
import { LOG_MESSAGES, MONITOR_ERRORS } from "../texts.ts";
import type { Check } from "./check.entity.ts";
import { markSubmitted, startManualCheck, withdrawCheck } from "./check.store.ts";
import { submitCheck } from "./submit-check.ts";

/**
 * Starts a check of a monitor by hand, on any plan, also while it is paused. A repeated message returns the same
 * check.
 * @throws ServiceError not_found; conflict while a check is running; plan_limit_exceeded
 */
export async function runCheck(
  context: MonitorsContext,
  caller: Caller,
  { id, checkId }: { id: string; checkId: string },
): Promise<CheckView> {
  const links = await context.links();
  await writableMonitor(context, caller, id);
  const check = await startManualCheck(context.em(), id, checkId);
  if (!check) {
    const { checkId: other } = await monitorOf(context, caller, id);
    throw new ServiceError("conflict", MONITOR_ERRORS.checkRunning(id, other));
  }
  await publishMonitorsChanged(context.bus, [check]);
  // If the run can't be submitted now, the recovery sweep submits it.
  const refusal = await submitCheck(context, check).catch((error: unknown) => {
    context.warn(error, LOG_MESSAGES.runNotSubmitted(check.id));
  });
  if (refusal) {
    await withdraw(context, check);
    throw refusal;
  }
  if (refusal === null) await markSubmitted(context.em(), [check.latestRunId]);
  return viewOfCheck(check, links);
}

/** Deletes the check of a refused request. If this node stops before that, the recovery sweep ends the check. */
async function withdraw(context: MonitorsContext, check: Check): Promise<void> {
  await withdrawCheck(context.em(), check.id);
  await publishMonitorsChanged(context.bus, [check]);
}
