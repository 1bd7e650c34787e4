import { databaseTime } from "../../../mixins/database.ts";
import { newId } from "../../../shared/ids.ts";
import { addChange, type Change } from "../change.store.ts";
import { graceAfter, keptAfter, planInEffect } from "../plan-in-effect.rule.ts";
import { publishChanges } from "../publish-changes.ts";
import { LOG_MESSAGES } from "../texts.ts";
import type { Account } from "./account.entity.ts";
import { lockAccount, saveAccount, takeTicket } from "./account.store.ts";
import type { PaymentsContext } from "./payments-context.ts";
import { countingSubscription, type Prices, paidPlan, type Subscription } from "./subscription.rule.ts";

/**
 * Reads a team's subscriptions afresh and writes down how they stand. Who asks while it is being read shares the next
 * reading, so that many events at once cost two. Of two nodes that read at once, the one that began later counts.
 * @throws PaymentError
 */
export function syncAccount(context: PaymentsContext, teamId: string): Promise<void> {
  return context.readings.run(teamId, () => readAndRecord(context, teamId));
}

async function readAndRecord(context: PaymentsContext, teamId: string): Promise<void> {
  const { provider, prices } = context;
  const asked = await takeTicket(context.em(), teamId);
  if (!asked) return;
  const all = await provider.subscriptionsOf(asked.customerId);
  const counting = countingSubscription(all, prices);
  if (counting && paidPlan(counting, prices) === null)
    context.warn(new Error(LOG_MESSAGES.unknownPrice(counting.id, teamId)), LOG_MESSAGES.planKept);
  const { ticket } = asked;
  await changeAccount(context, teamId, (account, now) =>
    account.answered < ticket
      ? { ...account, ...readingOf(account, counting, prices, now), answered: ticket }
      : null,
  );
}

/** Moves a team to the plan that it has by the clock: a plan may end without anybody's doing. */
export async function movePlan(context: PaymentsContext, teamId: string): Promise<void> {
  await changeAccount(context, teamId, account => account);
}

/** @param change what the account is to be, but for the plan in effect; null when there is nothing to do */
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

/** How a subscription stands, as it is to be written down. */
function readingOf(account: Account, counting: Subscription | null, prices: Prices, now: Date) {
  const { id: subscriptionId = null, status = "none", renewsAt = null, cancelsAt = null } = counting ?? {};
  // What a price is for that is of no plan: the same as before.
  const same = subscriptionId === account.subscriptionId ? account.subscribedPlan : account.plan;
  const subscribedPlan = counting ? (paidPlan(counting, prices) ?? same) : "free";
  const graceUntil = graceAfter(account, { subscriptionId, status }, now);
  return { subscriptionId, status, subscribedPlan, renewsAt, cancelsAt, graceUntil, syncedAt: now };
}

/** What is to be told of a change. */
function changesOf(before: Account, { teamId, plan, graceUntil }: Account): Change[] {
  const what = { teamId, plan, was: before.plan };
  const changes: Change[] = [];
  if (graceUntil && graceUntil.getTime() !== before.graceUntil?.getTime())
    changes.push({ ...what, id: newId("act"), type: "payment.failed", graceUntil });
  if (plan !== before.plan)
    changes.push({ ...what, id: newId("act"), type: "plan.changed", graceUntil: null });
  return changes;
}
