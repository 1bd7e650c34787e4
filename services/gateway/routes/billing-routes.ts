import * as billing from "../../../shared/contracts/billing/billing.ts";
import { deliveryRoute } from "./delivery-route.ts";
import { actionRoute, type Route } from "./route.ts";

/** Routes for plans and payments. */
export const BILLING_ROUTES: Record<string, Route> = {
  "GET /v1/billing": actionRoute("billing.account", {
    role: "viewer",
    summary: "Get the team's plan and subscription",
    answers: { 200: billing.billingView },
    input: () => ({}),
  }),
  "POST /v1/billing/checkout": actionRoute("billing.checkout", {
    role: "admin",
    summary: "Create a checkout page to buy a plan or confirm a plan change",
    body: billing.checkoutBody,
    answers: { 200: billing.paymentPage },
    input: ({ body }) => body,
  }),
  "POST /v1/billing/portal": actionRoute("billing.portal", {
    role: "admin",
    summary: "Create a billing portal page to manage the subscription and payment method",
    answers: { 200: billing.paymentPage },
    input: () => ({}),
  }),
  "POST /billing/webhook": deliveryRoute("billing.deliver", {
    summary: "Receive the payment provider's signed events",
    headers: ["stripe-signature"],
    answers: {
      200: billing.eventReceipt,
      400: billing.eventRefused,
      500: billing.eventRefused,
      503: billing.eventRefused,
    },
  }),
};
