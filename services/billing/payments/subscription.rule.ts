import {
  PAID_PLANS,
  type PaidPlan,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from "../../../shared/contracts/billing/billing.ts";

/** What a customer pays for regularly, as the payment provider knows it. */
export interface Subscription {
  id: string;
  status: SubscriptionStatus;
  createdAt: Date;
  items: { id: string; priceId: string }[];
  /** End of the period that is paid for. */
  renewsAt: Date | null;
  /** Null while it goes on. */
  cancelsAt: Date | null;
}

/** Prices of each plan; the first is sold, the others hold the plan too. */
export type Prices = Record<PaidPlan, string[]>;

const KNOWN = new Set<string>(SUBSCRIPTION_STATUSES);

/** A status in words that we know; what the provider may invent stands still until we know it. */
export function subscriptionStatusOf(status: string): SubscriptionStatus {
  if (status === "incomplete_expired") return "canceled";
  return SUBSCRIPTION_STATUSES.find(known => known === status && KNOWN.has(status)) ?? "paused";
}

/** The largest plan that a subscription pays for; null for prices of no plan. */
export function paidPlan({ items }: Pick<Subscription, "items">, prices: Prices): PaidPlan | null {
  return PAID_PLANS.findLast(plan => items.some(({ priceId }) => prices[plan].includes(priceId))) ?? null;
}

/** From those that give a plan to those that are over. */
const ORDER: SubscriptionStatus[] = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "canceled",
];

/** The subscription that counts, of all that a customer has or had: one that is alive, the larger plan, the newest. */
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

/** Whether a customer with it must not begin another one. */
export function isAlive(status: SubscriptionStatus): boolean {
  return ["active", "trialing", "past_due", "unpaid", "paused"].includes(status);
}
