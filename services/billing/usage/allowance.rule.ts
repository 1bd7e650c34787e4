import { ALLOWANCES, type Allowance, type Plan } from "../../../shared/contracts/billing/usage.ts";
import { BILLING_ERRORS } from "../texts.ts";

/** How much of each allowance. */
export type Amount = Record<Allowance, number>;

/** An allowance that has too little left. */
export interface Shortage {
  allowance: Allowance;
  limit: number;
  used: number;
}

/** The first allowance that has less left than is asked for, else null. */
export function shortageOf(plan: Plan, used: Amount, asked: Amount): Shortage | null {
  for (const allowance of ALLOWANCES) {
    const limit = plan[allowance];
    if (limit !== null && used[allowance] + asked[allowance] > limit)
      return { allowance, limit, used: used[allowance] };
  }
  return null;
}

/** Shares of an allowance at which its team is told, in percent. */
const THRESHOLDS = [80, 100] as const;

/** What a team is to be told of. */
export interface Notice extends Shortage {
  percent: number;
}

/** Every threshold that is reached, whether or not it was told of before. */
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

/** Why a run is refused, and what its team can do. */
export function shortageInWords(
  plan: Plan,
  { allowance, limit, used }: Shortage,
  asked: Amount,
  end: Date,
): string {
  const resetsAt = end.toISOString();
  return allowance === "runs"
    ? BILLING_ERRORS.runsReached(plan.name, used, limit, resetsAt)
    : BILLING_ERRORS.screenshotsReached(plan.name, used, limit, asked.screenshots, resetsAt);
}
