import type { SubscriptionStatus } from "../../shared/contracts/billing/billing.ts";
import type { PlanName } from "../../shared/contracts/billing/usage.ts";
import { PLANS } from "./plans.ts";

const DAY_MS = 24 * 3_600_000;

/** A plan stays for this long after a failed payment. */
const GRACE_MS = 7 * DAY_MS;
/** After a change to a smaller plan, runs are kept for this long as before. */
const HISTORY_KEPT_MS = 30 * DAY_MS;

/** A team's subscription at the last reading. */
export interface Subscribed {
  status: SubscriptionStatus;
  subscribedPlan: PlanName;
  cancelsAt: Date | null;
  graceUntil: Date | null;
}

/** Returns the plan that a subscription gives its team at a time. */
export function planInEffect(
  { status, subscribedPlan, cancelsAt, graceUntil }: Subscribed,
  now: Date,
): PlanName {
  if (cancelsAt && cancelsAt <= now) return "free";
  if (status === "active" || status === "trialing") return subscribedPlan;
  return status === "past_due" && graceUntil && graceUntil > now ? subscribedPlan : "free";
}

/** Returns the end of the grace period, counted from the first failed payment of this subscription. */
export function graceAfter(
  before: Pick<Subscribed, "status" | "graceUntil"> & { subscriptionId: string | null },
  after: { status: SubscriptionStatus; subscriptionId: string | null },
  now: Date,
): Date | null {
  if (after.status !== "past_due") return null;
  const goesOn = before.status === "past_due" && before.subscriptionId === after.subscriptionId;
  return goesOn && before.graceUntil ? before.graceUntil : new Date(now.getTime() + GRACE_MS);
}

/** The days for which runs are kept beyond the plan, and until when. */
export interface Kept {
  keptDays: number | null;
  keptUntil: Date | null;
}

/** Returns how long runs are kept after a change of plans. */
export function keptAfter(was: PlanName, plan: PlanName, { keptDays, keptUntil }: Kept, now: Date): Kept {
  if (PLANS[was].retentionDays <= PLANS[plan].retentionDays) return { keptDays, keptUntil };
  const days = Math.max(PLANS[was].retentionDays, keptNow({ keptDays, keptUntil }, now));
  return { keptDays: days, keptUntil: new Date(now.getTime() + HISTORY_KEPT_MS) };
}

/** Returns the days for which runs are kept at a time, or 0. */
function keptNow({ keptDays, keptUntil }: Kept, now: Date): number {
  return keptDays !== null && keptUntil !== null && keptUntil > now ? keptDays : 0;
}
