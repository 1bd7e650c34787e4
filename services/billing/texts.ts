import { timeInWords } from "../../shared/text/dates.ts";
import { figure } from "../../shared/text/format.ts";

/** The texts of billing that its users read. */

export const BILLING_ERRORS = {
  runsReached: (plan: string, used: number, limit: number, resetsAt: string) =>
    `Your team used ${figure(used)} of the ${figure(limit)} runs that the ${plan} plan includes per month. Upgrade the plan, or wait until the limit resets on ${timeInWords(resetsAt)}.`,
  screenshotsReached: (plan: string, used: number, limit: number, requested: number, resetsAt: string) =>
    `Your team used ${figure(used)} of the ${figure(limit)} screenshots that the ${plan} plan includes per month, and this run needs ${figure(requested)}. Use fewer routes or viewports, or upgrade the plan. The limit resets on ${timeInWords(resetsAt)}.`,
  usageBusy: "The team's usage is changing too fast. Retry in a moment.",
  defaultTeam: "This is the service's own team, which has no subscription. SERVICE_PLAN sets its plan.",
  checkoutBusy: "Another member of your team is starting a checkout. Retry in a moment.",
  noSubscription: "Your team has no subscription. Start one with POST /v1/billing/checkout.",
  notActive: (status: string) =>
    `The subscription is ${status}. Open the billing portal with POST /v1/billing/portal to fix it.`,
  sameSubscription: (plan: string) =>
    `Your team already subscribes to ${plan}. Open the billing portal with POST /v1/billing/portal to manage it.`,
  unreachable: "The payment provider is not responding. Nothing was charged. Retry in a moment.",
  refused:
    "The payment provider rejected the request. Nothing was charged. The operator can find the reason in the log.",
  notConfigured: "This service has no payment provider, so the operator sets the plan.",
};

/** Responses to the payment provider's events, which operators see in the provider's dashboard. */
export const WEBHOOK_ERRORS = {
  notConfigured: "Payments are not configured. Set STRIPE_WEBHOOK_SECRET.",
  retry: "The event could not be applied. Send it again.",
  timeout: (seconds: number) => `The event was not applied within ${seconds} seconds.`,
  noSignature: "The Stripe-Signature header is missing.",
  badSignature: "The Stripe-Signature header must have the form t=…,v1=….",
  tooOld: (seconds: number) =>
    `The signature is older than ${seconds} seconds. Check the clocks of both servers.`,
  wrongSignature:
    "The signature does not match the body. Check STRIPE_WEBHOOK_SECRET, and that no proxy changes the body.",
  notAnEvent: "The signature is valid, but the body is not an event.",
};

/** The log messages for operators. */
export const LOG_MESSAGES = {
  notReconciled: "Billing could not be reconciled. The service will retry.",
  noticeOfNotSent: (team: string) => `The usage notice of ${team} was not sent. The service will retry.`,
  timeout: (seconds: number) => `The payment provider did not respond within ${seconds} seconds.`,
  changeNotPublished: "A plan change was not published. The service will retry.",
  subscriptionNotRead: (team: string) =>
    `The subscription of ${team} could not be read. The service will retry.`,
  customerDeleted: "The customer was deleted during the checkout.",
  requestFailed: "A request to the payment provider failed.",
  unknownPrice: (subscription: string, team: string) =>
    `${subscription} of ${team} has a price that belongs to no plan.`,
  planKept: "A team keeps its current plan.",
  noticeNotSent: "A usage notice was not sent. The service will retry.",
  eventNotApplied: "An event of the payment provider could not be applied. The provider will retry.",
  changeOfNotPublished: (team: string) =>
    `The plan change of ${team} was not published. The service will retry.`,
};
