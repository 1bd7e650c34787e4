import type { BillingView, SubscriptionStatus } from "../../shared/contracts/billing.ts";

const DAY = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** A day in UTC, as plans and months are counted. */
export const day = (iso: string): string => DAY.format(new Date(iso));

const STATUSES: Record<SubscriptionStatus, string> = {
  none: "The team has subscribed to nothing.",
  trialing: "The subscription is in its trial.",
  active: "The subscription is paid.",
  past_due: "The latest payment failed.",
  unpaid: "The subscription is not paid.",
  paused: "The subscription is paused.",
  incomplete: "The first payment is not through yet.",
  canceled: "The subscription has ended.",
};

/** How a team stands with the payment provider, a sentence for each thing to know. */
export function billingInWords(view: BillingView): string[] {
  const { status, renewsAt, cancelsAt, graceUntil, historyKeptUntil, paymentFailed } = view;
  const sentences = [
    STATUSES[status],
    renewsAt && !paymentFailed && `It renews on ${day(renewsAt)}.`,
    cancelsAt && `It was canceled, and ends on ${day(cancelsAt)}; the plan stays until then.`,
    paymentFailed && graceUntil && `The plan stays until ${day(graceUntil)}.`,
    paymentFailed && "Put it right at the payment provider.",
    historyKeptUntil && `Until ${day(historyKeptUntil)} runs are kept as the larger plan kept them.`,
  ];
  return sentences.filter(sentence => typeof sentence === "string");
}

/** Whether the provider has a subscription to manage, rather than one to begin. */
export function isSubscribed({ status }: Pick<BillingView, "status">): boolean {
  return status !== "none" && status !== "canceled" && status !== "incomplete";
}
