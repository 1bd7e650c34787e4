import type { PaidPlan, PaymentPage } from "../../../shared/contracts/billing/billing.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import type { PaymentsContext } from "../billing-context.ts";
import { BILLING_ERRORS, LOG_MESSAGES } from "../texts.ts";
import type { Account } from "./account.entity.ts";
import {
  deleteCustomer,
  findAccount,
  findOrOpenAccount,
  setCheckout,
  setCustomer,
  skipKeys,
} from "./account.store.ts";
import { PaymentError } from "./payment-error.ts";
import { countingSubscription, isAlive, paidPlan, type Subscription } from "./subscription.rule.ts";
import { syncAccount } from "./sync-account.ts";

/** Other members may start a checkout at the same time. */
const MAX_ATTEMPTS = 4;

/**
 * Returns the page where a team pays for a plan. A team with another plan confirms the change there. A team has one
 * open checkout at most, so that it never pays twice.
 * @throws ServiceError conflict if there is nothing to pay; unavailable if the provider fails
 */
export async function startCheckout(
  context: PaymentsContext,
  teamId: string,
  plan: PaidPlan,
): Promise<PaymentPage> {
  if (teamId === DEFAULT_TEAM_ID) throw new ServiceError("conflict", BILLING_ERRORS.defaultTeam);
  return orUnavailable(context, teamId, async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const url = await attemptCheckout(context, teamId, plan);
      if (url !== null) return { url };
    }
    throw new ServiceError("unavailable", BILLING_ERRORS.checkoutBusy);
  });
}

/** Returns the page where a team manages its subscription. @throws ServiceError conflict, unavailable */
export async function openPortal(context: PaymentsContext, teamId: string): Promise<PaymentPage> {
  const customerId = (await findAccount(context.em(), teamId))?.customerId ?? null;
  if (customerId === null) throw hasNeverPaid();
  return orUnavailable(context, teamId, async () => {
    try {
      return { url: await context.provider.openPortal(customerId, context.pageUrl) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      await deleteCustomer(context.em(), teamId, customerId);
      throw hasNeverPaid();
    }
  });
}

function hasNeverPaid(): ServiceError {
  return new ServiceError("conflict", BILLING_ERRORS.noSubscription);
}

function isMissing(error: unknown): boolean {
  return error instanceof PaymentError && error.failure === "missing";
}

/** @returns null for another attempt */
async function attemptCheckout(
  context: PaymentsContext,
  teamId: string,
  plan: PaidPlan,
): Promise<string | null> {
  const account = await accountWithCustomer(context, teamId);
  const { customerId } = account;
  try {
    const current = countingSubscription(await context.provider.subscriptionsOf(customerId), context.prices);
    if (current && current.id !== account.subscriptionId) await syncAccount(context, teamId);
    if (current && isAlive(current.status)) return await confirmChange(context, customerId, current, plan);
    return (await openCheckout(context, account, plan)) ?? (await createCheckout(context, account, plan));
  } catch (error) {
    if (!isMissing(error)) throw error;
    // The customer was deleted at the provider. The next attempt creates another one.
    await deleteCustomer(context.em(), teamId, customerId);
    return null;
  }
}

type WithCustomer = Account & { customerId: string };

async function accountWithCustomer(context: PaymentsContext, teamId: string): Promise<WithCustomer> {
  const account = await findOrOpenAccount(context.em(), teamId);
  if (account.customerId === null) {
    // Concurrent callers use the same key and get the same customer.
    const key = `vrs-customer-${teamId}-${account.customers}`;
    await setCustomer(context.em(), teamId, await context.provider.createCustomer(teamId, key));
  }
  const { customerId, ...rest } = await findOrOpenAccount(context.em(), teamId);
  if (customerId === null) throw new PaymentError("unreachable", LOG_MESSAGES.customerDeleted);
  return { ...rest, customerId };
}

/** @throws ServiceError conflict if there is nothing to change, or an unpaid invoice */
async function confirmChange(
  { provider, prices, pageUrl }: PaymentsContext,
  customerId: string,
  current: Subscription,
  plan: PaidPlan,
): Promise<string> {
  const [item] = current.items;
  const [priceId] = prices[plan];
  if (current.status !== "active" && current.status !== "trialing")
    throw new ServiceError("conflict", BILLING_ERRORS.notActive(current.status));
  if (paidPlan(current, prices) === plan || !item || priceId === undefined)
    throw new ServiceError("conflict", BILLING_ERRORS.sameSubscription(plan));
  return provider.openPortal(customerId, pageUrl, { subscriptionId: current.id, itemId: item.id, priceId });
}

/** Returns the page of an open checkout for this plan, and expires one for another plan. */
async function openCheckout(
  { provider }: PaymentsContext,
  { checkoutId }: Account,
  plan: PaidPlan,
): Promise<string | null> {
  if (checkoutId === null) return null;
  const checkout = await provider.readCheckout(checkoutId).catch(error => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (!checkout?.url) return null;
  if (checkout.plan === plan) return checkout.url;
  await provider.expireCheckout(checkout.id);
  return null;
}

async function createCheckout(
  { em, provider, prices, pageUrl }: PaymentsContext,
  { teamId, customerId, checkouts }: WithCustomer,
  plan: PaidPlan,
): Promise<string | null> {
  const [priceId = ""] = prices[plan];
  const checkout = await provider.createCheckout({
    customerId,
    teamId,
    plan,
    priceId,
    successUrl: `${pageUrl}?checkout=done`,
    cancelUrl: `${pageUrl}?checkout=canceled`,
    idempotencyKey: `vrs-checkout-${customerId}-${checkouts}-${plan}`,
  });
  if (await setCheckout(em(), teamId, { before: checkouts, checkoutId: checkout.id })) return checkout.url;
  const open = (await findAccount(em(), teamId))?.checkoutId;
  // The same checkout by the same key, or another caller's for another plan.
  if (open !== checkout.id) await provider.expireCheckout(checkout.id);
  return open === checkout.id ? checkout.url : null;
}

async function orUnavailable<T>(
  context: PaymentsContext,
  teamId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    if (error.hasResponse) await skipKeys(context.em(), teamId);
    context.warn(error, LOG_MESSAGES.requestFailed);
    const message = error.failure === "unreachable" ? BILLING_ERRORS.unreachable : BILLING_ERRORS.refused;
    throw new ServiceError("unavailable", message);
  }
}
