import { ALLOWANCES, type Allowance, type Plan } from "../../../shared/contracts/billing/usage.ts";
import { BILLING_ERRORS } from "../texts.ts";

/** An amount of each allowance. */
export type Amount = Record<Allowance, number>;

/** An allowance with too little left. */
export interface Shortage {
  allowance: Allowance;
  limit: number;
  used: number;
}

/** Returns the first allowance with less left than requested, or null. */
export function shortageOf(plan: Plan, used: Amount, requested: Amount): Shortage | null {
  for (const allowance of ALLOWANCES) {
    const limit = plan[allowance];
    if (limit !== null && used[allowance] + requested[allowance] > limit)
      return { allowance, limit, used: used[allowance] };
  }
  return null;
}

/** The percentages at which a team is notified. */
const THRESHOLDS = [80, 100] as const;

/** A notice for a team. */
export interface Notice extends Shortage {
  percent: number;
}

/** Returns a notice for each reached threshold, whether or not it was sent before. */
export function noticesOf(plan: Plan, used: Amount): Notice[] {
  return ALLOWANCES.flatMap(allowance => {
    const limit = plan[allowance];
    if (limit === null) return [];
    return THRESHOLDS.filter(percent => used[allowance] * 100 >= limit * percent).map(percent => ({
      allowance,
      percent,
      limit,
      used: used[allowance],
    }));
  });
}

/** Returns why a run is refused, and what the team can do. */
export function shortageInWords(
  plan: Plan,
  { allowance, limit, used }: Shortage,
  requested: Amount,
  end: Date,
): string {
  const resetsAt = end.toISOString();
  return allowance === "runs"
    ? BILLING_ERRORS.runsReached(plan.name, used, limit, resetsAt)
    : BILLING_ERRORS.screenshotsReached(plan.name, used, limit, requested.screenshots, resetsAt);
}
