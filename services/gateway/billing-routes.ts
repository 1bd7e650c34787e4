import * as billing from "../../shared/contracts/billing.ts";
import { deliveryRoute } from "./delivery-route.ts";
import { actionRoute, type Route } from "./route.ts";

/** The routes about money: a part of the table of all. */
export const BILLING_ROUTES: Record<string, Route> = {
  "GET /v1/billing": actionRoute("billing.account", {
    role: "viewer",
    summary: "The team's plan and how it is paid for",
    answers: { 200: billing.billingView },
    input: () => ({}),
  }),
  "POST /v1/billing/checkout": actionRoute("billing.checkout", {
    role: "admin",
    summary: "A page on which to pay for a plan, or to confirm the change to it",
    body: billing.checkoutBody,
    answers: { 200: billing.paymentPage },
    input: ({ body }) => body,
  }),
  "POST /v1/billing/portal": actionRoute("billing.portal", {
    role: "admin",
    summary: "A page on which to manage what the team pays with and for",
    answers: { 200: billing.paymentPage },
    input: () => ({}),
  }),
  "POST /billing/webhook": deliveryRoute("billing.deliver", {
    summary: "Where the payment provider sends its events, signed",
    headers: ["stripe-signature"],
    answers: {
      200: billing.eventTaken,
      400: billing.eventRefused,
      500: billing.eventRefused,
      503: billing.eventRefused,
    },
  }),
};
