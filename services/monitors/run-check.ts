import type { Caller } from "../../shared/contracts/caller.ts";
import type { CheckView } from "../../shared/contracts/monitors.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Check } from "./check.entity.ts";
import { beginManual, markSubmitted, withdrawCheck } from "./check.store.ts";
import type { MonitorsNode } from "./monitors-node.ts";
import { viewOfCheck } from "./present-monitor.ts";
import { monitorOf } from "./read-monitors.ts";
import { submitCheck } from "./submit-check.ts";
import { tellChanged } from "./tell-changed.ts";
import { LOG_MESSAGES, MONITOR_ERRORS } from "./texts.ts";
import { writableMonitor } from "./writable.ts";

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
