import { createHash } from "node:crypto";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { CreateMonitor, MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { monitorOf, showMonitor } from "../queries/read-monitors.ts";
import { MONITOR_ERRORS } from "../texts.ts";
import { changeOptions } from "./capture-options.ts";
import { countMonitors, findMonitor, insertMonitor } from "./monitor.store.ts";
import { lockTeam, scheduleTeam } from "./team.store.ts";
import { channelsAfter, noteActivity, refuseSite, refuseUnknownReferences } from "./write-monitor.ts";

/**
 * Saves a monitor if the plan's limit allows it. Concurrent requests can't exceed the limit. A repeated message
 * returns the same monitor.
 * @throws ServiceError forbidden for channels of non-admins; invalid_request; plan_limit_exceeded
 */
export async function createMonitor(
  context: MonitorsContext,
  caller: Caller,
  { id, body }: { id: string; body: CreateMonitor },
): Promise<MonitorView> {
  const { alerts, options: requested, ...settings } = body;
  refuseSite(context, body.url);
  const channels = channelsAfter(context, caller, {}, alerts);
  const options = changeOptions({}, requested);
  await refuseUnknownReferences(context, caller, options);
  const { teamId } = caller;
  const plan = await call(context.bus, "billing.plan", { teamId });
  const isNew = await context.em().transactional(async tx => {
    await lockTeam(tx, teamId, plan);
    if (await findMonitor(tx, teamId, id)) return false;
    requireAllowance(plan, await countMonitors(tx, teamId));
    const createdBy = caller.actor.id;
    await insertMonitor(tx, { id, teamId, ...settings, channels, options, phase: phaseOf(id), createdBy });
    await scheduleTeam(tx, teamId);
    return true;
  });
  if (isNew) await noteActivity(context, caller, "monitor.created", id, { name: body.name });
  return showMonitor(context, await monitorOf(context, caller, id), plan);
}

/** @throws ServiceError plan_limit_exceeded */
function requireAllowance({ name, monitors: limit }: Plan, used: number): void {
  if (limit === null || used < limit) return;
  throw new ServiceError("plan_limit_exceeded", MONITOR_ERRORS.limitReached(used, name, limit), {
    limit,
    used,
  });
}

/**
 * Returns when a monitor is due within its interval, 0–1. A hash of its id spreads monitors that were created
 * together, and keeps the time of each.
 */
export function phaseOf(monitorId: string): number {
  return createHash("sha256").update(monitorId).digest().readUInt32BE(0) / 2 ** 32;
}
