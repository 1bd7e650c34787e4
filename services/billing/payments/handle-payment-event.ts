import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { LOG_MESSAGES, WEBHOOK_ERRORS } from "../texts.ts";
import { findTeamOfCustomer, isApplied, markApplied } from "./account.store.ts";
import { PaymentError } from "./payment-error.ts";
import { BadEvent, type PaymentEvent } from "./payment-event.ts";
import type { PaymentsContext } from "./payments-context.ts";
import { syncAccount } from "./sync-account.ts";

/** What may change a team's plan; docs/guides/charge-for-plans.md names the same ones, for the endpoint that is set up there. */
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
 * Takes an event of the payment provider. It says only that something happened: how things stand is read afresh, so
 * that neither the order of events matters nor how often one comes. An event counts as applied once that is written
 * down; until then its sender is told to send it again.
 */
export async function takeDelivery(
  context: PaymentsContext | null,
  { headers, body }: Delivery,
): Promise<DeliveryAnswer> {
  if (!context) return refuse(500, WEBHOOK_ERRORS.notConfigured);
  try {
    const event = context.provider.eventOf(Buffer.from(body, "base64"), headers["stripe-signature"]);
    return {
      status: 200,
      body: {
        received: true,
        applied: await within(context.provider.answersWithinMs, apply(context, event)),
      },
    };
  } catch (error) {
    if (error instanceof BadEvent) return refuse(400, error.message);
    if (!(error instanceof PaymentError)) throw error;
    context.warn(error, LOG_MESSAGES.eventNotApplied);
    return refuse(503, WEBHOOK_ERRORS.retry);
  }
}

/** @returns whether it was of a customer of ours, and new */
async function apply(context: PaymentsContext, event: PaymentEvent): Promise<boolean> {
  if (!EVENT_TYPES.has(event.type) || event.customerId === null) return false;
  const teamId = await findTeamOfCustomer(context.em(), event.customerId);
  if (teamId === null || (await isApplied(context.em(), event.id))) return false;
  await syncAccount(context, teamId);
  return markApplied(context.em(), event);
}

/**
 * Waits so long for work, ms; it goes on after that. An event also waits for a reading that was under way before it.
 * @throws PaymentError when that is over
 */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new PaymentError("unreachable", WEBHOOK_ERRORS.timeout(ms / 1_000))),
    ms,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

function refuse(status: number, error: string): DeliveryAnswer {
  return { status, body: { error } };
}
