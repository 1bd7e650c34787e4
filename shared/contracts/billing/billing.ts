import { z } from "zod";
import { time } from "../fields.ts";
import { PLAN_NAMES } from "./usage.ts";

/** Requests and responses of `/v1/billing`. */

export const PAID_PLANS = ["pro", "business"] as const;

/** The payment provider's statuses, and none. */
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
  url: z.url().describe("One-time page of the payment provider. Open it in a browser within a few minutes"),
});

/** Response of `GET /v1/billing`. */
export const billingView = z.object({
  enabled: z.boolean().describe("Whether this service takes payments. If not, the operator sets the plan"),
  plan: z.enum(PLAN_NAMES).describe("The team's current plan"),
  status: z.enum(SUBSCRIPTION_STATUSES).describe("Status of the team's subscription"),
  subscribedPlan: z
    .enum(PAID_PLANS)
    .nullable()
    .describe(
      "Plan of the subscription. Differs from `plan` when the grace period for a failed payment is over",
    ),
  renewsAt: time.nullable(),
  cancelsAt: time.nullable().describe("End of a canceled subscription. The plan stays until then"),
  paymentFailed: z
    .boolean()
    .describe("Whether the latest payment failed. Update the payment method in the billing portal"),
  graceUntil: time.nullable().describe("End of the grace period after a failed payment"),
  historyKeptUntil: time
    .nullable()
    .describe("After a downgrade: until when the retention period of the previous plan applies"),
});

/** Response to the payment provider. */
export const eventReceipt = z.object({
  received: z.literal(true),
  applied: z.boolean().describe("Whether the event was new and belongs to a customer of this service"),
});
export const eventRefused = z.object({ error: z.string() });

export type PaidPlan = (typeof PAID_PLANS)[number];
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export type PaymentPage = z.infer<typeof paymentPage>;
export type BillingView = z.infer<typeof billingView>;
