import type { Plan, PlanName } from "../../shared/contracts/billing/usage.ts";

/** The limits of each plan. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: {
    name: "free",
    runs: 50,
    screenshots: 500,
    members: 1,
    monitors: 1,
    scheduled: false,
    retentionDays: 7,
  },
  pro: {
    name: "pro",
    runs: 500,
    screenshots: 5_000,
    members: 10,
    monitors: 10,
    scheduled: false,
    retentionDays: 30,
  },
  business: {
    name: "business",
    runs: null,
    screenshots: null,
    members: 50,
    monitors: null,
    scheduled: true,
    retentionDays: 90,
  },
};

/** Returns the plan of a team, with the days for which its runs are kept. */
export function planWith(paid: { plan: PlanName; keptDays: number | null } | null): Plan {
  const plan = PLANS[paid?.plan ?? "free"];
  return { ...plan, retentionDays: Math.max(plan.retentionDays, paid?.keptDays ?? 0) };
}
