import { databaseTime } from "../../../mixins/database.ts";
import type { Usage } from "../../../shared/contracts/billing/usage.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { BillingContext } from "../billing-context.ts";
import { periodAt } from "./period.rule.ts";
import { findUsage } from "./usage.store.ts";

/** Returns a team's usage in this period, and the limits of its plan. */
export async function readUsage(context: BillingContext, teamId: string): Promise<Usage> {
  const em = context.em();
  const [plan, members, monitors] = await Promise.all([
    context.planOf(teamId),
    call(context.bus, "teams.countPlaces", { teamId }),
    call(context.bus, "monitors.count", { teamId }),
  ]);
  const { start, end } = periodAt(await databaseTime(em));
  const used = await findUsage(em, teamId, start);
  return {
    plan: plan.name,
    period: { start: start.toISOString(), end: end.toISOString() },
    runs: { used: used.runs, limit: plan.runs },
    screenshots: { used: used.screenshots, limit: plan.screenshots },
    monitors: { used: monitors, limit: plan.monitors },
    members: { used: members, limit: plan.members },
    retentionDays: plan.retentionDays,
  };
}
