import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { broadcast, call } from "../../../shared/contracts/bus.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { findTeam, lockTeam, scheduleTeam } from "./team.store.ts";

/**
 * The team's plan; where it is not what was known of it, its monitors are scheduled, or not, as it says now. Those of
 * a team that was deleted rest until it is restored.
 */
export async function keepPlan(context: MonitorsContext, teamId: string): Promise<Plan> {
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
  // Of a team without monitors there is nothing to know.
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
