import type { CheckView } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { publishChanged } from "../publish-changed.ts";
import { viewOfCheck } from "../queries/present-monitor.ts";
import { monitorOf } from "../queries/read-monitors.ts";
import { writableMonitor } from "../settings/writable-monitor.ts";
import { LOG_MESSAGES, MONITOR_ERRORS } from "../texts.ts";
import type { Check } from "./check.entity.ts";
import { beginManual, markSubmitted, withdrawCheck } from "./check.store.ts";
import { submitCheck } from "./submit-check.ts";

/**
 * Checks a monitor now, on any plan, paused or not. The same message again is the same check.
 * @throws ServiceError not_found; conflict while a check is under way; plan_limit_exceeded
 */
export async function runCheck(
  context: MonitorsContext,
  caller: Caller,
  { id, checkId }: { id: string; checkId: string },
): Promise<CheckView> {
  const links = await context.links();
  await writableMonitor(context, caller, id);
  const check = await beginManual(context.em(), id, checkId);
  if (!check) {
    const { checkId: other } = await monitorOf(context, caller, id);
    throw new ServiceError("conflict", MONITOR_ERRORS.checkRunning(id, other));
  }
  await publishChanged(context, [check]);
  // What cannot be submitted now, the sweep submits.
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

/** Nothing is done for a request that is refused. Should this node go away before, the sweep ends the check. */
async function withdraw(context: MonitorsContext, check: Check): Promise<void> {
  await withdrawCheck(context.em(), check.id);
  await publishChanged(context, [check]);
}
