import { deleteGoneTeams } from "../../../shared/delete-gone-teams.ts";
import type { PaymentsContext } from "../billing-context.ts";
import { deleteChanges, findUnpublishedChanges } from "../change.store.ts";
import { publishChanges } from "../publish-changes.ts";
import { LOG_MESSAGES } from "../texts.ts";
import type { Account } from "./account.entity.ts";
import {
  deleteAccount,
  deleteEvents,
  findEnded,
  leaseGoneAccounts,
  leaseStaleAccounts,
  markGone,
} from "./account.store.ts";
import { PaymentError } from "./payment-error.ts";
import { isAlive } from "./subscription.rule.ts";
import { movePlan, syncAccount } from "./sync-account.ts";

const BATCH_SIZE = 100;
/** The provider retries an event for three days. */
const EVENT_RETENTION_DAYS = 30;
/** Longer than publishing a change takes. */
const MAX_PUBLISH_DELAY_MS = 60_000;

/**
 * Applies what no event reported: plans that ended, readings that failed, subscriptions of deleted teams, and
 * unpublished changes. Any number of nodes can run it at once, because each leases its own teams.
 */
export async function reconcileAccounts(context: PaymentsContext, batchSize = BATCH_SIZE): Promise<void> {
  for (const teamId of await findEnded(context.em(), batchSize)) await movePlan(context, teamId);
  await publishChanges(context, await findUnpublishedChanges(context.em(), MAX_PUBLISH_DELAY_MS)).catch(
    error => context.warn(error, LOG_MESSAGES.changeNotPublished),
  );
  await deleteEvents(context.em(), EVENT_RETENTION_DAYS);
  await deleteChanges(context.em(), EVENT_RETENTION_DAYS);
  const stale = await leaseStaleAccounts(context.em(), batchSize);
  // The event of a deleted team may get lost, and the team would pay forever.
  const gone = await deleteGoneTeams(context.bus, stale, teamId => markGone(context.em(), teamId));
  for (const account of await leaseGoneAccounts(context.em(), batchSize))
    await warnOnFailure(context, account.teamId, () => closeAccount(context, account));
  for (const teamId of stale.filter(id => !gone.has(id)))
    await warnOnFailure(context, teamId, () => syncAccount(context, teamId));
}

/** A failure of one team does not stop the others, unless the provider does not respond at all. */
async function warnOnFailure(
  context: PaymentsContext,
  teamId: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PaymentError) || error.failure === "unreachable") throw error;
    context.warn(error, LOG_MESSAGES.subscriptionNotRead(teamId));
  }
}

/** Cancels the subscriptions of a deleted team, and deletes its account. The team cannot be restored anymore. */
async function closeAccount(
  context: PaymentsContext,
  { teamId, customerId, checkoutId }: Account,
): Promise<void> {
  if (checkoutId !== null) await context.provider.expireCheckout(checkoutId);
  if (customerId !== null)
    for (const { id, status } of await context.provider.subscriptionsOf(customerId))
      if (isAlive(status) || status === "incomplete") await context.provider.cancel(id);
  await deleteAccount(context.em(), teamId);
}
