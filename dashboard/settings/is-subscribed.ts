import type { BillingView } from "../../shared/contracts/billing/billing.ts";

/** Returns whether the payment provider has a subscription to manage. Otherwise, the team can start one. */
export function isSubscribed({ status }: Pick<BillingView, "status">): boolean {
  return status !== "none" && status !== "canceled" && status !== "incomplete";
}
