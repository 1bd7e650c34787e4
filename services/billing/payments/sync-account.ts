import { databaseTime } from "../../../mixins/database.ts";
import { newId } from "../../../shared/ids.ts";
import type { PaymentsContext } from "../billing-context.ts";
import { addChange, type Change } from "../change.store.ts";
import { graceAfter, keptAfter, planInEffect } from "../plan-in-effect.rule.ts";
import { publishChanges } from "../publish-changes.ts";
import { LOG_MESSAGES } from "../texts.ts";
import type { Account } from "./account.entity.ts";
import { drawTicket, lockAccount, saveAccount } from "./account.store.ts";
import { countingSubscription, type Prices, paidPlan, type Subscription } from "./subscription.rule.ts";

/**
 * Reads a team's subscriptions and saves them. Callers during a reading share the next one, so that many events at once
 * cost two readings. Of two nodes that read at once, the later reading counts.
 * @throws PaymentError
 */
export function syncAccount(context: PaymentsContext, teamId: string): Promise<void> {
  return context.readings.run(teamId, () => readAndRecord(context, teamId));
}

async function readAndRecord(context: PaymentsContext, teamId: string): Promise<void> {
  const { provider, prices } = context;
  const drawn = await drawTicket(context.em(), teamId);
  if (!drawn) return;
  const all = await provider.subscriptionsOf(drawn.customerId);
  const counting = countingSubscription(all, prices);
  if (counting && paidPlan(counting, prices) === null)
    context.warn(new Error(LOG_MESSAGES.unknownPrice(counting.id, teamId)), LOG_MESSAGES.planKept);
  const { ticket } = drawn;
  await changeAccount(context, teamId, (account, now) =>
    account.appliedTicket < ticket
      ? { ...account, ...readingOf(account, counting, prices, now), appliedTicket: ticket }
      : null,
  );
}

/** Updates a team's current plan, which may have ended since the last reading. */
export async function movePlan(context: PaymentsContext, teamId: string): Promise<void> {
  await changeAccount(context, teamId, account => account);
}

/** @param change returns the changed account without its current plan, or null for no change */
async function changeAccount(
  context: PaymentsContext,
  teamId: string,
  change: (account: Account, now: Date) => Account | null,
): Promise<void> {
  const changes = await context.em().transactional(async tx => {
    const before = await lockAccount(tx, teamId);
    const now = await databaseTime(tx);
    const changed = before && change({ ...before }, now);
    if (!before || !changed) return [];
    const plan = planInEffect(changed, now);
    const after = { ...changed, plan, ...keptAfter(before.plan, plan, before, now) };
    await saveAccount(tx, after);
    const found = changesOf(before, after);
    for (const each of found) await addChange(tx, each);
    return found;
  });
  await publishChanges(context, changes).catch(error => context.warn(error, LOG_MESSAGES.changeNotPublished));
}

/** Returns the account's fields for a subscription. */
function readingOf(account: Account, counting: Subscription | null, prices: Prices, now: Date) {
  const { id: subscriptionId = null, status = "none", renewsAt = null, cancelsAt = null } = counting ?? {};
  // A subscription with an unknown price keeps the team's plan.
  const same = subscriptionId === account.subscriptionId ? account.subscribedPlan : account.plan;
  const subscribedPlan = counting ? (paidPlan(counting, prices) ?? same) : "free";
  const graceUntil = graceAfter(account, { subscriptionId, status }, now);
  return { subscriptionId, status, subscribedPlan, renewsAt, cancelsAt, graceUntil, syncedAt: now };
}

/** Returns the changes to publish. */
function changesOf(before: Account, { teamId, plan, graceUntil }: Account): Change[] {
  const what = { teamId, plan, was: before.plan };
  const changes: Change[] = [];
  if (graceUntil && graceUntil.getTime() !== before.graceUntil?.getTime())
    changes.push({ ...what, id: newId("act"), type: "payment.failed", graceUntil });
  if (plan !== before.plan)
    changes.push({ ...what, id: newId("act"), type: "plan.changed", graceUntil: null });
  return changes;
}
