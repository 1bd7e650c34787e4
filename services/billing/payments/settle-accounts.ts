import { deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import { deleteChanges, findUntoldChanges } from "../change.store.ts";
import { publishChanges } from "../publish-changes.ts";
import { LOG_MESSAGES } from "../texts.ts";
import type { Account } from "./account.entity.ts";
import { claimGone, claimStale, findEnded, forgetEvents, markGone, removeAccount } from "./account.store.ts";
import { PaymentError } from "./payment-error.ts";
import type { PaymentsContext } from "./payments-context.ts";
import { isAlive } from "./subscription.rule.ts";
import { movePlan, syncAccount } from "./sync-account.ts";

const AT_ONCE = 100;
/** The provider sends an event for three days. */
const EVENTS_KEPT_DAYS = 30;
/** Longer than it takes to tell a change after it was written down. */
const TOLD_WITHIN_MS = 60_000;

/**
 * Puts right what no event has told: plans that end by the clock, readings that failed, subscriptions of teams that are
 * gone, changes that nobody told. Any number of nodes may do it at once: each asks the provider about teams of its own.
 */
export async function settleAccounts(context: PaymentsContext, atOnce = AT_ONCE): Promise<void> {
  for (const teamId of await findEnded(context.em(), atOnce)) await movePlan(context, teamId);
  await publishChanges(context, await findUntoldChanges(context.em(), TOLD_WITHIN_MS)).catch(error =>
    context.warn(error, LOG_MESSAGES.changeNotPublished),
  );
  await forgetEvents(context.em(), EVENTS_KEPT_DAYS);
  await deleteChanges(context.em(), EVENTS_KEPT_DAYS);
  const stale = await claimStale(context.em(), atOnce);
  // That a team is gone may not have been told, and it would pay for ever.
  const gone = await deleteGoneTeams(context.bus, stale, teamId => markGone(context.em(), teamId));
  for (const account of await claimGone(context.em(), atOnce))
    await orWarn(context, account.teamId, () => closeAccount(context, account));
  for (const teamId of stale.filter(id => !gone.has(id)))
    await orWarn(context, teamId, () => syncAccount(context, teamId));
}

/** One team's trouble is no other's; but while the provider is away, nobody else is asked about either. */
async function orWarn(context: PaymentsContext, teamId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PaymentError) || error.fault === "unreachable") throw error;
    context.warn(error, LOG_MESSAGES.subscriptionNotRead(teamId));
  }
}

/** Ends what a team pays for that is gone, then forgets it. Nobody can restore it any more. */
async function closeAccount(
  context: PaymentsContext,
  { teamId, customerId, checkoutId }: Account,
): Promise<void> {
  if (checkoutId !== null) await context.provider.expireCheckout(checkoutId);
  if (customerId !== null)
    for (const { id, status } of await context.provider.subscriptionsOf(customerId))
      if (isAlive(status) || status === "incomplete") await context.provider.cancel(id);
  await removeAccount(context.em(), teamId);
}
