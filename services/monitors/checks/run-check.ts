import type { CheckView } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { MonitorsNode } from "../monitors-context.ts";
import { tellChanged } from "../publish-changed.ts";
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
  node: MonitorsNode,
  caller: Caller,
  { id, checkId }: { id: string; checkId: string },
): Promise<CheckView> {
  const links = await node.links();
  await writableMonitor(node, caller, id);
  const check = await beginManual(node.em(), id, checkId);
  if (!check) {
    const { checkId: other } = await monitorOf(node, caller, id);
    throw new ServiceError("conflict", MONITOR_ERRORS.checkRunning(id, other));
  }
  await tellChanged(node, [check]);
  // What cannot be submitted now, the sweep submits.
  const refusal = await submitCheck(node, check).catch((error: unknown) => {
    node.warn(error, LOG_MESSAGES.runNotSubmitted(check.id));
  });
  if (refusal) {
    await withdraw(node, check);
    throw refusal;
  }
  if (refusal === null) await markSubmitted(node.em(), [check.latestRunId]);
  return viewOfCheck(check, links);
}

/** Nothing is done for a request that is refused. Should this node go away before, the sweep ends the check. */
async function withdraw(node: MonitorsNode, check: Check): Promise<void> {
  await withdrawCheck(node.em(), check.id);
  await tellChanged(node, [check]);
}
