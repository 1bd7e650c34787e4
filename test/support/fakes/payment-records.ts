import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import type { z } from "zod";
import type { checkoutForm } from "./payment-forms.ts";

export interface ServedSubscription {
  id: string;
  customer: string;
  status: Stripe.Subscription["status"];
  created: number;
  price: string;
  item: string;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
}

export interface ServedCheckout {
  id: string;
  customer: string;
  status: "open" | "complete" | "expired";
  price: string;
  form: z.output<typeof checkoutForm>;
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

/** Returns a checkout as the API does, with its page at `address`. */
export function checkoutViewOf({ id, status, customer, form }: ServedCheckout, address: string): object {
  return {
    id,
    object: "checkout.session",
    mode: "subscription",
    status,
    customer,
    client_reference_id: form.client_reference_id,
    metadata: form.metadata,
    url: status === "open" ? `${address}/pay/${id}` : null,
  } satisfies Partial<Stripe.Checkout.Session>;
}

type ItemView = Pick<Stripe.SubscriptionItem, "id" | "object" | "current_period_end" | "quantity"> & {
  price: Pick<Stripe.Price, "id" | "object">;
};
type View = Pick<
  Stripe.Subscription,
  "id" | "object" | "customer" | "status" | "created" | "cancel_at" | "cancel_at_period_end"
> & { items: { object: "list"; data: ItemView[]; has_more: boolean; url: string } };

/** Returns the fields of a subscription that the service reads. */
export function subscriptionViewOf({
  id,
  customer,
  status,
  created,
  price,
  item,
  ...rest
}: ServedSubscription): View {
  const { periodEnd, cancelAt, cancelAtPeriodEnd } = rest;
  return {
    id,
    object: "subscription",
    customer,
    status,
    created,
    cancel_at: cancelAt,
    cancel_at_period_end: cancelAtPeriodEnd,
    items: {
      object: "list",
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
      data: [
        {
          id: item,
          object: "subscription_item",
          quantity: 1,
          current_period_end: periodEnd,
          price: { id: price, object: "price" },
        },
      ],
    },
  };
}
