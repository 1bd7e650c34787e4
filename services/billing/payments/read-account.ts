import { databaseTime, type EntityManager } from "../../../mixins/database.ts";
import type { BillingView } from "../../../shared/contracts/billing/billing.ts";
import type { PlanName } from "../../../shared/contracts/billing/usage.ts";
import type { Account } from "./account.entity.ts";
import { findAccount } from "./account.store.ts";

/** Returns a team's subscription. */
export async function readAccount(
  em: EntityManager,
  teamId: string,
  { plan, enabled }: { plan: PlanName; enabled: boolean },
): Promise<BillingView> {
  const account = enabled ? await findAccount(em, teamId) : null;
  return { enabled, plan, ...subscriptionOf(account, await databaseTime(em)) };
}

function subscriptionOf(account: Account | null, now: Date): Omit<BillingView, "enabled" | "plan"> {
  const { status = "none", subscribedPlan = "free", keptUntil = null } = account ?? {};
  const goesOn = status !== "none" && status !== "canceled";
  const time = (at: Date | null | undefined) => (goesOn && at ? at.toISOString() : null);
  const cancelsAt = time(account?.cancelsAt);
  return {
    status,
    subscribedPlan: goesOn && subscribedPlan !== "free" ? subscribedPlan : null,
    renewsAt: cancelsAt === null ? time(account?.renewsAt) : null,
    cancelsAt,
    paymentFailed: status === "past_due" || status === "unpaid",
    graceUntil: time(account?.graceUntil),
    historyKeptUntil: keptUntil && keptUntil > now ? keptUntil.toISOString() : null,
  };
}
