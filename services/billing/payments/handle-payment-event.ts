import { withTimeout } from "../../../shared/async.ts";
import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { PaymentsContext } from "../billing-context.ts";
import { LOG_MESSAGES, WEBHOOK_ERRORS } from "../texts.ts";
import { findTeamOfCustomer, isApplied, markApplied } from "./account.store.ts";
import { PaymentError } from "./payment-error.ts";
import { BadEvent, type PaymentEvent } from "./payment-event.ts";
import { syncAccount } from "./sync-account.ts";

/**
 * The events that may change a team's plan. docs/guides/charge-for-plans.md lists the same ones for the provider's
 * endpoint.
 */
export const EVENT_TYPES: ReadonlySet<string> = new Set([
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "customer.deleted",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "invoice.paid",
  "invoice.payment_failed",
]);

/**
 * Handles an event of the payment provider. The subscriptions are read again, so the order and number of events don't
 * matter. The response asks the provider to retry until the event is applied.
 */
export async function receivePaymentEvent(
  context: PaymentsContext | null,
  { headers, body }: Delivery,
): Promise<DeliveryAnswer> {
  if (!context) return refuse(500, WEBHOOK_ERRORS.notConfigured);
  const { timeoutMs } = context.provider;
  const late = () => new PaymentError("unreachable", WEBHOOK_ERRORS.timeout(timeoutMs / 1_000));
  try {
    const event = context.provider.eventOf(Buffer.from(body, "base64"), headers["stripe-signature"]);
    // The event also waits for a reading that was in progress before. Applying it continues after the timeout.
    const applied = await withTimeout(applyEvent(context, event), timeoutMs, late);
    return { status: 200, body: { received: true, applied } };
  } catch (error) {
    if (error instanceof BadEvent) return refuse(400, error.message);
    if (!(error instanceof PaymentError)) throw error;
    context.warn(error, LOG_MESSAGES.eventNotApplied);
    return refuse(503, WEBHOOK_ERRORS.retry);
  }
}

/** @returns whether the event was new and of a customer of ours */
async function applyEvent(context: PaymentsContext, event: PaymentEvent): Promise<boolean> {
  if (!EVENT_TYPES.has(event.type) || event.customerId === null) return false;
  const teamId = await findTeamOfCustomer(context.em(), event.customerId);
  if (teamId === null || (await isApplied(context.em(), event.id))) return false;
  await syncAccount(context, teamId);
  return markApplied(context.em(), event);
}

function refuse(status: number, error: string): DeliveryAnswer {
  return { status, body: { error } };
}
