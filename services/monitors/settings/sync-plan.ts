import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { broadcast, call } from "../../../shared/contracts/bus.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findTeam, lockTeam, scheduleTeam } from "./team.store.ts";

/**
 * Reads the team's plan, and schedules the team's monitors again if it changed. The monitors of a deleted team are
 * not scheduled until the team is restored.
 */
export async function syncPlan(context: MonitorsContext, teamId: string): Promise<Plan> {
  const [plan, isOpen] = await Promise.all([
    call(context.bus, "billing.plan", { teamId }),
    call(context.bus, "teams.isOpen", { teamId }),
  ]);
  const scheduled = plan.scheduled && isOpen;
  const known = await findTeam(context.em(), teamId);
  const isKnown =
    known?.monitorLimit === plan.monitors &&
    known.plan === plan.name &&
    known.scheduled === scheduled &&
    known.retentionDays === plan.retentionDays;
  // This service stores nothing about teams without monitors.
  if (known && !isKnown) await applyPlan(context, teamId, { ...plan, scheduled });
  return plan;
}

async function applyPlan(context: MonitorsContext, teamId: string, plan: Plan): Promise<void> {
  await context.em().transactional(async tx => {
    await lockTeam(tx, teamId, plan);
    await scheduleTeam(tx, teamId);
  });
  await broadcast(context.bus, "monitor.changed", { teamId, ids: null });
}
