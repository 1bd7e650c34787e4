import type { EntityManager } from "../../../mixins/database.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { notScheduledBecause } from "../queries/present-monitor.ts";
import { monitorOf } from "../queries/read-monitors.ts";
import type { Monitor } from "./monitor.entity.ts";
import { countMonitors } from "./monitor.store.ts";
import { syncPlan } from "./sync-plan.ts";

/** Returns a monitor that is within the plan's limit. @throws ServiceError not_found; plan_limit_exceeded */
export async function writableMonitor(
  context: MonitorsContext,
  caller: Caller,
  id: string,
): Promise<Monitor> {
  const plan = await syncPlan(context, caller.teamId);
  const monitor = await monitorOf(context, caller, id);
  await requireWritable(context.em(), monitor, plan);
  return monitor;
}

/** Refuses changes of a monitor over the plan's limit. @throws ServiceError plan_limit_exceeded */
export async function requireWritable(em: EntityManager, monitor: Monitor, plan: Plan): Promise<void> {
  if (monitor.hold !== "over") return;
  const used = await countMonitors(em, monitor.teamId);
  const allowance = plan.monitors === null ? {} : { limit: plan.monitors, used };
  throw new ServiceError("plan_limit_exceeded", notScheduledBecause(monitor, plan) ?? "", allowance);
}
