import { z } from "zod";
import { time } from "./fields.ts";
import { PLAN_NAMES } from "./usage.ts";

/** Bodies and answers of `/v1/billing`. */

export const PAID_PLANS = ["pro", "business"] as const;

/** The payment provider's own words, and none. */
export const SUBSCRIPTION_STATUSES = [
  "none",
  "trialing",
  "active",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "canceled",
] as const;

/** Body of `POST /v1/billing/checkout`. */
export const checkoutBody = z.strictObject({ plan: z.enum(PAID_PLANS) });

export const paymentPage = z.object({
  url: z
    .url()
    .describe("A page of the payment provider's for this once; open it in a browser within minutes"),
});

/** Answer of `GET /v1/billing`. */
export const billingView = z.object({
  enabled: z.boolean().describe("Whether this service takes payments; without, the operator sets the plan"),
  plan: z.enum(PLAN_NAMES).describe("What the team has now"),
  status: z.enum(SUBSCRIPTION_STATUSES).describe("Of the team's subscription"),
  subscribedPlan: z
    .enum(PAID_PLANS)
    .nullable()
    .describe("What the subscription is for; another than plan once the time to pay is over"),
  renewsAt: time.nullable(),
  cancelsAt: time
    .nullable()
    .describe("When a subscription that was canceled ends; the plan stays until then"),
  paymentFailed: z
    .boolean()
    .describe("Whether the latest payment failed; the portal is where to put it right"),
  graceUntil: time.nullable().describe("Until when the plan stays although a payment failed"),
  historyKeptUntil: time
    .nullable()
    .describe("Until when runs are kept as the larger plan kept them that the team had before"),
});

/** Answer to the payment provider. */
export const eventTaken = z.object({
  received: z.literal(true),
  applied: z.boolean().describe("Whether it was of a customer of this service, and new"),
});
export const eventRefused = z.object({ error: z.string() });

export type PaidPlan = (typeof PAID_PLANS)[number];
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export type PaymentPage = z.infer<typeof paymentPage>;
export type BillingView = z.infer<typeof billingView>;
