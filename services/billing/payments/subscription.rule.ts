import {
  PAID_PLANS,
  type PaidPlan,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from "../../../shared/contracts/billing/billing.ts";

/** A subscription of a customer at the payment provider. */
export interface Subscription {
  id: string;
  status: SubscriptionStatus;
  createdAt: Date;
  items: { id: string; priceId: string }[];
  /** The end of the paid period. */
  renewsAt: Date | null;
  /** Null while it continues. */
  cancelsAt: Date | null;
}

/** The prices of each plan. The first is for sale, and the others are still valid. */
export type Prices = Record<PaidPlan, string[]>;

/** Returns a known status. An unknown one of the provider counts as paused. */
export function subscriptionStatusOf(status: string): SubscriptionStatus {
  if (status === "incomplete_expired") return "canceled";
  return SUBSCRIPTION_STATUSES.find(known => known === status) ?? "paused";
}

/** Returns the largest plan that a subscription pays for, or null. */
export function paidPlan({ items }: Pick<Subscription, "items">, prices: Prices): PaidPlan | null {
  return PAID_PLANS.findLast(plan => items.some(({ priceId }) => prices[plan].includes(priceId))) ?? null;
}

/** From statuses with a plan to ended ones. */
const ORDER: SubscriptionStatus[] = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "canceled",
];

/** Returns the subscription that counts: first by status, then the larger plan, then the newest. */
export function countingSubscription(all: Subscription[], prices: Prices): Subscription | null {
  const rank = (one: Subscription) => {
    const plan = paidPlan(one, prices);
    return [ORDER.indexOf(one.status), plan === null ? 0 : -PAID_PLANS.indexOf(plan) - 1, -one.createdAt];
  };
  const [first] = all.toSorted((a, b) => {
    const [ranks, others] = [rank(a), rank(b)];
    return ranks.map((one, index) => one - (others[index] ?? 0)).find(difference => difference !== 0) ?? 0;
  });
  return first ?? null;
}

/** Returns whether a customer with this status must not start another subscription. */
export function isAlive(status: SubscriptionStatus): boolean {
  return ["active", "trialing", "past_due", "unpaid", "paused"].includes(status);
}
