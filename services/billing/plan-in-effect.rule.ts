import type { SubscriptionStatus } from "../../shared/contracts/billing/billing.ts";
import type { PlanName } from "../../shared/contracts/billing/usage.ts";
import { PLANS } from "./plans.ts";

const DAY_MS = 24 * 3_600_000;

/** For so long a plan stays although it was not paid for. */
const GRACE_MS = 7 * DAY_MS;
/** For so long after a change to a smaller plan runs are kept as the larger one kept them. */
const KEPT_ON_MS = 30 * DAY_MS;

/** What a team's subscription was when we last read it. */
export interface Subscribed {
  status: SubscriptionStatus;
  subscribedPlan: PlanName;
  cancelsAt: Date | null;
  graceUntil: Date | null;
}

/** The plan that a subscription gives its team at a moment. */
export function planInEffect(
  { status, subscribedPlan, cancelsAt, graceUntil }: Subscribed,
  now: Date,
): PlanName {
  if (cancelsAt && cancelsAt <= now) return "free";
  if (status === "active" || status === "trialing") return subscribedPlan;
  return status === "past_due" && graceUntil && graceUntil > now ? subscribedPlan : "free";
}

/** Until when the plan stays: counted from the first time that a payment of this subscription failed. */
export function graceAfter(
  before: Pick<Subscribed, "status" | "graceUntil"> & { subscriptionId: string | null },
  after: { status: SubscriptionStatus; subscriptionId: string | null },
  now: Date,
): Date | null {
  if (after.status !== "past_due") return null;
  const goesOn = before.status === "past_due" && before.subscriptionId === after.subscriptionId;
  return goesOn && before.graceUntil ? before.graceUntil : new Date(now.getTime() + GRACE_MS);
}

/** How long runs are kept beyond what the plan says: so many days, until then. */
export interface Kept {
  keptDays: number | null;
  keptUntil: Date | null;
}

/** What is kept on after a change of plans. */
export function keptAfter(was: PlanName, plan: PlanName, { keptDays, keptUntil }: Kept, now: Date): Kept {
  if (PLANS[was].retentionDays <= PLANS[plan].retentionDays) return { keptDays, keptUntil };
  const days = Math.max(PLANS[was].retentionDays, keptNow({ keptDays, keptUntil }, now));
  return { keptDays: days, keptUntil: new Date(now.getTime() + KEPT_ON_MS) };
}

/** Days for which runs are kept on at a moment; 0 when nothing is. */
function keptNow({ keptDays, keptUntil }: Kept, now: Date): number {
  return keptDays !== null && keptUntil !== null && keptUntil > now ? keptDays : 0;
}
